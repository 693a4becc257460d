import type { Tenant } from "./tenant.js";
import type { Handler } from "./types.js";

/** A registered action: the program knows it by its number. */
export interface Slot {
  readonly tenant: Tenant;
  readonly identifier: string;
  readonly handler: Handler;
}

/** Makes the letters of a text of ASCII small. For others there is one rule, the program's. */
const small = (text: string): string => (/^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text);

/** How many identifiers are noted. */
const mostNoted = 1000;

/** The handlers of all registries, by slot number. A number that was freed is used again. */
export class Slots {
  /** Counts the changes of what is registered; a cache of slot numbers is valid within one generation. */
  generation = 0;
  private readonly slots: (Slot | undefined)[] = [];
  private readonly freed: number[] = [];
  /** Identifiers that were registered, as they were spelled, and small. None of them can be the one of a built-in action, ever. */
  private readonly registered = new Set<string>();

  /** Stores a handler and returns its number. */
  alloc(slot: Slot): number {
    const number = this.freed.pop() ?? this.slots.length;
    this.slots[number] = slot;
    return number;
  }

  /** Notes an identifier that the program has let be registered. */
  note(identifier: string): void {
    if (this.registered.size >= mostNoted) {
      this.registered.clear();
    }
    this.registered.add(identifier).add(small(identifier));
  }

  /** Says whether an identifier was registered, by anybody, so that no built-in action has it. It may say no when it was. */
  wasRegistered(identifier: string): boolean {
    return this.registered.has(identifier) || this.registered.has(small(identifier));
  }

  /** Returns what is in a slot. */
  get(number: number): Slot | undefined {
    return this.slots[number];
  }

  /** Empties a slot and returns what was in it. */
  free(number: number): Slot | undefined {
    const slot = this.slots[number];
    this.slots[number] = undefined;
    this.freed.push(number);
    return slot;
  }

  /** Calls a function for each slot of a registry, which may free it. */
  forEachOf(tenant: Tenant, visit: (number: number, slot: Slot) => void): void {
    this.slots.forEach((slot, number) => {
      if (slot?.tenant === tenant) {
        visit(number, slot);
      }
    });
  }
}
