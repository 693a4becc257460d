/** What the program exports. */

/** What exports answer; see wasm/state.go. */
export const enum Code {
  /** No answer: the program has ended. */
  Dead = 0,
  Done = 1,
  No = 2,
  Delivered = 3,
  Other = 4,
  Slot = 8,
}

/** The exports of the program. */
export interface Exports {
  readonly mem: WebAssembly.Memory;
  reserve(length: number): number;
  create(registry: number): Code;
  dispose(registry: number): Code;
  register(registry: number, slot: number, length: number): Code;
  unregister(registry: number, length: number): Code;
  release(slot: number): Code;
  perform(registry: number, length: number, depth: number): Code;
  perform_slot(slot: number, depth: number): Code;
  begin(registry: number, call: number, length: number, owned: number): Code;
  cancel(registry: number, call: number): Code;
  start(registry: number): Code;
  settle(completion: number, outcome: number): Code;
  answer(number: number, length: number): Code;
  validate(registry: number, length: number): Code;
  capability(registry: number, length: number): Code;
  list(registry: number): Code;
}
