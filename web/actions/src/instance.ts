/**
 * One running WebAssembly program: its memory, its exports, and what it imports. What it does often crosses as 32-bit numbers;
 * everything else as bytes in a buffer that the program reserves. When the program has ended (it panicked, or trapped) the
 * instance is dead for good: its exports would still answer, with garbage.
 */
import { Decoder, Encoder, Kept, Reference, type Keep } from "./codec.js";
import type { Exports } from "./exports.js";
import type { Bridge } from "./sandbox.js";
import { start, type Running } from "./toolchain.js";
import { Utf8Encoder } from "./utf8.js";
import { copyArguments } from "./values.js";

/** The functions of the page that the program imports. None of these throw. */
export interface Callbacks {
  /** Calls the handler in a slot with the arguments that the page holds. */
  call(slot: number, depth: number): number;
  /** Calls the handler in a slot with what the program gives. */
  callWith(slot: number, depth: number, args: Record<string, unknown>, source: unknown): number;
  /** Waits for the promise that the handler called last has returned, for a completion of the program. */
  await(completion: number): void;
  /** Tells the result of a call that was under way. */
  finished(call: number, result: unknown): void;
}

/** The longest identifier that is written into the buffer without asking for room. */
const small = 256;

const utf8 = new Utf8Encoder();

/** Thrown to unwind the frames of a program that has ended, so that it does nothing more. */
const ended = new Error("the WebAssembly program has ended");

/** A running program. */
export class Instance {
  readonly exports: Exports;
  /** What the program said last. */
  delivered: unknown;
  /** Set once, when the program has ended. */
  dead = false;
  /** What was thrown when the program ended, if something was. */
  cause: string | undefined;
  /** What the program printed: why it ended. */
  private printed = "";
  private readonly running: Running;
  /** Taken out while a value is written, for reading it may run code of the page that performs. */
  private encoder: Encoder | undefined = new Encoder();
  private readonly kept = new Map<number, unknown>();
  private lastKept = 0;
  private tidying: ReturnType<typeof setTimeout> | undefined;
  private bytes: Uint8Array;
  private at: number;
  private decoder: Decoder | undefined;

  /** Starts the program. Throws what WebAssembly throws when it is not the program that belongs to this page. */
  constructor(module: WebAssembly.Module, bridge: Bridge, callbacks: (instance: Instance) => Callbacks) {
    const print = (text: string) => {
      this.printed = (this.printed + text).slice(0, 4096);
    };
    this.running = start(module, this.imports(callbacks(this)), bridge, print, () => this.die());
    this.exports = this.running.exports;
    if (this.dead) {
      this.running.stop();
      throw new Error(this.reason());
    }
    this.at = this.exports.reserve(small);
    this.bytes = new Uint8Array(this.exports.mem.buffer);
  }

  /** Says why the program ended, in one line. */
  reason(): string {
    const lines = this.printed.split("\n");
    return lines.find((line) => /^(panic|fatal error):/.test(line)) || lines[0] || this.cause || "it did not say why";
  }

  /** Everything that the program printed. */
  report(): string {
    return this.printed || this.reason();
  }

  /**
   * Lets the program do what it has put off, once the page has a turn: exports run nothing but themselves, so that without this
   * the garbage collector would never get to forget the page's objects.
   */
  tidy(): void {
    const { tidy } = this.running;
    if (tidy) {
      this.tidying ??= setTimeout(() => {
        this.tidying = undefined;
        tidy();
      });
    }
  }

  /** Marks the instance as dead and stops its timers. */
  die(): void {
    this.dead = true;
    (this.running as Running | undefined)?.stop(); // it may end while it starts
  }

  /** Writes an identifier into the buffer and returns its length in bytes. */
  identifier(text: string): number {
    const length = text.length;
    if (length > small) {
      return this.longIdentifier(text);
    }
    if (this.bytes.length === 0) {
      this.bytes = new Uint8Array(this.exports.mem.buffer); // the memory has grown
    }
    const { bytes, at } = this;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      if (c > 127) {
        return this.longIdentifier(text);
      }
      bytes[at + i] = c;
    }
    return length;
  }

  private longIdentifier(text: string): number {
    return this.write(utf8.encode(text));
  }

  /** Writes a value into the buffer and returns its length in bytes. */
  value(value: unknown): number {
    return this.write(this.encode(value));
  }

  /** Returns the bytes of a value. They are good until the next value. */
  encode(value: unknown, keep?: Keep): Uint8Array {
    const encoder = this.encoder ?? new Encoder();
    this.encoder = undefined;
    try {
      return encoder.encode(value, keep);
    } finally {
      this.encoder = encoder;
    }
  }

  /** Writes bytes into the buffer and returns how many. */
  write(bytes: Uint8Array): number {
    this.at = this.exports.reserve(bytes.length);
    if (this.bytes.length === 0) {
      this.bytes = new Uint8Array(this.exports.mem.buffer);
    }
    this.bytes.set(bytes, this.at);
    return bytes.length;
  }

  /** Stores a value in the reference table: only its number crosses. */
  keep(value: unknown): Reference {
    return new Reference(this.store(value));
  }

  /** Stores an object of arguments in the reference table, until it is {@link release}d. Nobody changes it: handlers are given copies. */
  keepObject(object: object): Kept {
    return new Kept(this.store(object));
  }

  private store(value: unknown): number {
    this.lastKept = this.lastKept === 0x7fffffff ? 1 : this.lastKept + 1;
    this.kept.set(this.lastKept, value);
    return this.lastKept;
  }

  /** Removes objects from the reference table. */
  release(objects: readonly Kept[]): void {
    for (const { number } of objects) {
      this.kept.delete(number);
    }
  }

  /** Returns a mark in the reference table, for {@link forget}. */
  mark(): number {
    return this.lastKept;
  }

  /** Removes the one reference that was added after a mark, if there is one. */
  forget(mark: number): void {
    if (this.lastKept !== mark) {
      this.kept.delete(mark === 0x7fffffff ? 1 : mark + 1);
    }
  }

  /** Returns a value of the reference table, and removes it. */
  readonly give = (number: number): unknown => {
    const value = this.kept.get(number);
    this.kept.delete(number);
    return value;
  };

  private readonly copy = (number: number): unknown => copyArguments(this.kept.get(number));

  private read(address: number): unknown {
    if (this.decoder === undefined || this.decoder.stale) {
      this.decoder = new Decoder(new Uint8Array(this.exports.mem.buffer), this.give, this.copy);
    }
    return this.decoder.read(address);
  }

  private imports(callbacks: Callbacks): Record<string, WebAssembly.ImportValue> {
    const alive = (code: number): number => {
      if (this.dead) {
        throw ended;
      }
      return code;
    };
    return {
      call: (slot: number, depth: number) => alive(callbacks.call(slot, depth)),
      call_with: (slot: number, depth: number, address: number) => {
        const [args, source] = this.read(address) as [Record<string, unknown>, unknown];
        return alive(callbacks.callWith(slot, depth, args, source));
      },
      await: (completion: number) => {
        alive(0);
        callbacks.await(completion);
      },
      deliver: (address: number) => {
        alive(0);
        this.delivered = this.read(address);
      },
      finished: (call: number) => {
        alive(0);
        callbacks.finished(call, this.delivered);
      },
    };
  }
}
