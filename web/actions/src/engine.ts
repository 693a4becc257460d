/**
 * The engine runs the WebAssembly program for all registries of a page. It keeps what the program cannot: handlers, promises, and
 * enough to start the program again when it has ended.
 */
import { ActionsError } from "./errors.js";
import { Code, Instance, type Page } from "./instance.js";
import { RunningInvocation, manual } from "./invocation.js";
import { describeThrown, isThenable } from "./thrown.js";
import type { Registry } from "./registry.js";
import type { Handler, Result, Source } from "./types.js";
import type { Bridge } from "./sandbox.js";

/** A registered action: the program knows it by its number. */
export interface Slot {
  readonly registry: Registry;
  readonly identifier: string;
  readonly handler: Handler;
}

/** A call whose result the program tells later. */
interface PendingCall {
  readonly registry: Registry;
  readonly resolve: (result: Result) => void;
  /** What to send again when the program has ended before this began; undefined once it may have begun. */
  readonly held: Uint8Array | undefined;
}

/** How often the program is started again before the page has had a turn. One that keeps ending must not take the memory. */
const mostRestarts = 10;

/** Awaits what may be a promise of anybody's. */
async function awaited(value: unknown): Promise<unknown> {
  return await value;
}

export class Engine {
  /** The arguments of the direct call that is about to be made. */
  arguments: Record<string, unknown> = {};
  /** What the handler of the last direct call returned, and its slot. */
  value: unknown;
  slot = -1;
  /** Counts the changes of what is registered. */
  generation = 0;
  readonly registries = new Map<number, Registry>();
  private readonly slots: (Slot | undefined)[] = [];
  private readonly free: number[] = [];
  private readonly calls = new Map<number, PendingCall>();
  private lastCall = 0;
  private lastRegistry = 0;
  private restarts = 0;
  private readonly bridge: Bridge = {};
  private instance: Instance;

  /** Starts the program. Throws what WebAssembly throws when it cannot be started. */
  constructor(private readonly module: WebAssembly.Module) {
    this.instance = this.instantiate();
  }

  /** The version that the program says it has. */
  get version(): string | undefined {
    return this.bridge.version;
  }

  private instantiate(): Instance {
    return new Instance(this.module, this.bridge, (instance) => this.page(instance));
  }

  /** Gives the program, started again when it had ended. Throws an ActionsError `stopped` when it cannot be. */
  live(): Instance {
    if (this.instance.dead) {
      this.restart();
    }
    return this.instance;
  }

  /** Does something with the program. Throws an ActionsError `stopped` when the program ends on the way. */
  enter(operation: (instance: Instance) => Code): Code {
    const instance = this.live();
    const code = this.attempt(instance, operation);
    instance.tidy();
    if (instance.dead) {
      throw new ActionsError("stopped", this.deathOf(instance));
    }
    return code;
  }

  /** Does something with one instance, and says Dead when it is dead afterwards. */
  attempt(instance: Instance, operation: (instance: Instance) => Code): Code {
    if (instance.dead) {
      return Code.Dead;
    }
    let code = Code.Dead;
    let thrown: unknown;
    try {
      code = operation(instance);
    } catch (error) {
      thrown = error;
    }
    if (code <= Code.Dead || instance.dead) {
      this.ended(instance, thrown);
      return Code.Dead;
    }
    return code;
  }

  /** Says that an instance has ended, and starts a new one in its place. */
  ended(instance: Instance, thrown?: unknown): void {
    instance.die();
    if (thrown !== undefined) {
      instance.cause ??= describeThrown(thrown);
    }
    if (instance === this.instance) {
      try {
        this.restart();
      } catch {
        // There may be no stack left here. The next call tries again.
      }
    }
  }

  /** Says why a call of an instance has no result. */
  deathOf(instance: Instance): string {
    return "the WebAssembly program ended while this ran: " + instance.reason();
  }

  private restart(): void {
    const dead = this.instance;
    const lost = [...this.calls].filter(([, call]) => call.held === undefined || call.registry.started);
    for (const [number, call] of lost) {
      this.calls.delete(number);
      call.resolve({ status: "failed", message: this.deathOf(dead) });
    }
    if (this.restarts === mostRestarts) {
      throw new ActionsError("stopped", "the WebAssembly program ended again and again; it is started when the page goes on");
    }
    if (this.restarts++ === 0) {
      setTimeout(() => (this.restarts = 0));
    }
    try {
      this.instance = this.instantiate();
    } catch (thrown) {
      throw new ActionsError("stopped", "the WebAssembly program cannot be started again: " + describeThrown(thrown), {
        cause: thrown,
      });
    }
    for (const registry of this.registries.values()) {
      this.restore(registry);
    }
    console.error("The WebAssembly program of @rehearsal/actions ended and was started again.\n" + dead.report());
    for (const registry of this.registries.values()) {
      registry.listeners.emit("restarted", { reason: dead.reason() });
    }
  }

  /** Tells a new instance what a registry holds. */
  private restore(registry: Registry): void {
    this.create(registry);
    this.slots.forEach((slot, number) => {
      if (slot?.registry === registry) {
        this.enter((i) => i.exports.register(registry.number, number, i.identifier(slot.identifier)));
      }
    });
    if (registry.started) {
      this.enter((i) => i.exports.start(registry.number));
    }
    for (const [number, call] of this.calls) {
      if (call.registry === registry) {
        this.enter((i) => i.exports.begin(registry.number, number, i.write(call.held!)));
      }
    }
  }

  /** Gives a registry its number. */
  add(registry: Registry): number {
    this.registries.set(++this.lastRegistry, registry);
    return this.lastRegistry;
  }

  /** Has the program make the registry, or gives it its host anew. */
  create(registry: Registry): Code {
    return this.enter((instance) => {
      this.bridge.adapter = registry.adapter(instance);
      return instance.exports.create(registry.number);
    });
  }

  /** Keeps a handler and gives its slot. */
  occupy(slot: Slot): number {
    const number = this.free.pop() ?? this.slots.length;
    this.slots[number] = slot;
    return number;
  }

  /** Gives what is in a slot. */
  occupant(number: number): Slot | undefined {
    return this.slots[number];
  }

  /** Forgets the handler in a slot. */
  vacate(number: number): Slot | undefined {
    const slot = this.slots[number];
    this.slots[number] = undefined;
    this.free.push(number);
    return slot;
  }

  /** Forgets a registry. Its calls end as canceled. */
  remove(registry: Registry): void {
    for (const [number, call] of this.calls) {
      if (call.registry === registry) {
        this.enter((i) => i.exports.cancel(registry.number, number));
      }
    }
    this.enter((i) => i.exports.dispose(registry.number));
    this.registries.delete(registry.number);
    this.slots.forEach((slot, number) => {
      if (slot?.registry === registry) {
        this.vacate(number);
      }
    });
    this.generation++;
  }

  /**
   * Begins a call that the program gets the arguments of: an identifier, the arguments, a source or null, and how deep in others
   * it is or null.
   */
  begin(registry: Registry, call: unknown[], signal: AbortSignal | undefined): Promise<Result> | Result {
    const instance = this.live();
    const number = (this.lastCall = this.lastCall === 0x7fffffff ? 1 : this.lastCall + 1);
    const bytes = instance.encode(call);
    const held = call[2] !== null && !registry.started ? bytes.slice() : undefined;
    const code = this.attempt(instance, (i) => i.exports.begin(registry.number, number, i.write(bytes)));
    if (code === Code.Dead) {
      return { status: "failed", message: this.deathOf(instance) };
    }
    if (code === Code.Delivered) {
      return instance.delivered as Result;
    }
    return new Promise((resolve) => {
      const abort = () => this.attempt(this.instance, (i) => i.exports.cancel(registry.number, number));
      signal?.addEventListener("abort", abort, { once: true });
      this.calls.set(number, {
        registry,
        held,
        resolve: (result) => {
          signal?.removeEventListener("abort", abort);
          resolve(result);
        },
      });
    });
  }

  /** What an instance asks of the page. */
  private page(instance: Instance): Page {
    return {
      call: (number, depth) => {
        const slot = this.slots[number];
        if (slot === undefined) {
          return failure(instance, new Error("the registry was disposed of"));
        }
        const { registry, identifier, handler } = slot;
        const args = this.arguments;
        try {
          const value = handler(new RunningInvocation(registry, depth, identifier, args, manual));
          const later = isThenable(value);
          this.value = value;
          this.slot = number;
          return later ? -1 : 0;
        } catch (thrown) {
          return failure(instance, thrown);
        }
      },
      callWith: (number, depth, completion, args, source) => {
        const slot = this.slots[number];
        if (slot === undefined) {
          return failure(instance, new Error("the registry was disposed of"));
        }
        const { registry, identifier, handler } = slot;
        try {
          const value = handler(new RunningInvocation(registry, depth, identifier, args, source as Source));
          if (isThenable(value)) {
            this.settle(instance, completion, value);
            return -1;
          }
          return success(instance, value);
        } catch (thrown) {
          return failure(instance, thrown);
        }
      },
      finished: (number, result) => {
        const call = this.calls.get(number);
        this.calls.delete(number);
        call?.resolve(result as Result);
      },
    };
  }

  /** Tells the program how a promise ends. */
  private settle(instance: Instance, completion: number, value: PromiseLike<unknown>): void {
    const tell = (outcome: (instance: Instance, value: unknown) => number, value: unknown) => {
      this.attempt(instance, (i) => {
        const before = i.mark();
        const code = i.exports.settle(completion, outcome(i, value));
        if (code === Code.No) {
          i.forget(before); // nobody waits for it any more
        }
        return code;
      });
    };
    awaited(value).then(
      (result) => tell(success, result),
      (thrown: unknown) => tell(failure, thrown),
    );
  }
}

/** What a handler that returned is told as. */
function success(instance: Instance, value: unknown): number {
  return value === undefined ? 0 : instance.keep(value).number;
}

/** What a handler that threw is told as: see failure in wasm/handler.go. */
function failure(instance: Instance, thrown: unknown): number {
  return instance.dead ? 0 : -1 - instance.value([describeThrown(thrown), instance.keep(thrown)]);
}
