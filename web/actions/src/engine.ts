/**
 * The engine runs the WebAssembly program for all registries of a page. It keeps what the program cannot: handlers, promises, and
 * enough to start the program again when it has ended.
 */
import { PendingCalls } from "./calls.js";
import { ActionsError, type ActionsErrorCode } from "./errors.js";
import { Code } from "./exports.js";
import type { Kept } from "./codec.js";
import { Instance, type Callbacks } from "./instance.js";
import { manual } from "./invocation.js";
import { performed, settled } from "./outcome.js";
import type { Bridge } from "./sandbox.js";
import { Slots } from "./slots.js";
import type { Tenant } from "./tenant.js";
import { describeThrown, isThenable } from "./thrown.js";
import type { Result, Source } from "./types.js";

/** How often the program is started again before the page has had a turn. One that keeps ending must not take the memory. */
const mostRestarts = 10;

/** Awaits any thenable. */
async function awaited(value: unknown): Promise<unknown> {
  return await value;
}

export class Engine {
  readonly slots = new Slots();
  // What crosses the program in a perform, which passes numbers only. The arguments and the source are taken as soon as the handler is
  // called, so one place is enough however deep handlers perform; the value and its slot are taken as soon as the program has returned.
  private passedArguments: Record<string, unknown> = {};
  private passedSource: Source = manual;
  private returnedValue: unknown;
  private calledSlot = -1;
  private readonly tenants = new Map<number, Tenant>();
  private readonly calls = new PendingCalls();
  private lastTenant = 0;
  private restarts = 0;
  private readonly bridge: Bridge = {};
  private instance: Instance;

  /** Starts the program. Throws what WebAssembly throws when it cannot be started. */
  constructor(private readonly module: WebAssembly.Module) {
    this.instance = this.instantiate();
  }

  /** The version that the program says it has. */
  get version(): string | undefined {
    return this.bridge.version?.trimEnd(); // one that was written into a program has blanks behind it
  }

  private instantiate(): Instance {
    return new Instance(this.module, this.bridge, (instance) => this.callbacks(instance));
  }

  /** Returns the running program, started again when it had ended. Throws an ActionsError `stopped` when it cannot be. */
  private running(): Instance {
    if (this.instance.dead) {
      this.restart();
    }
    return this.instance;
  }

  /** Calls into the program. Throws an ActionsError `stopped` when the program ends on the way. */
  call(operation: (instance: Instance) => Code): Code {
    const instance = this.running();
    const code = this.tryCall(instance, operation);
    instance.tidy();
    if (instance.dead) {
      throw new ActionsError("stopped", this.deathOf(instance));
    }
    return code;
  }

  /** Calls into the program, and returns what it delivers. Throws as {@link call} does. */
  ask(operation: (instance: Instance) => Code): unknown {
    this.call(operation);
    return this.instance.delivered;
  }

  /** The error that the program delivered in the call before. */
  refusal(): ActionsError {
    const { code, message } = this.instance.delivered as { code: ActionsErrorCode; message: string };
    return new ActionsError(code, message);
  }

  /** Calls into one instance. Returns Dead when it is dead afterwards. */
  tryCall(instance: Instance, operation: (instance: Instance) => Code): Code {
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
      this.onExit(instance, thrown);
      return Code.Dead;
    }
    return code;
  }

  /** Marks an instance as dead and starts a new one in its place. */
  private onExit(instance: Instance, thrown?: unknown): void {
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

  /** Why a call of an instance has no result. */
  private deathOf(instance: Instance): string {
    return "the WebAssembly program ended while this ran: " + instance.reason();
  }

  private restart(): void {
    const dead = this.instance;
    this.calls.failLost(this.deathOf(dead));
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
    for (const tenant of this.tenants.values()) {
      this.restore(tenant);
    }
    console.error("The WebAssembly program of @rehearsal/actions ended and was started again.\n" + dead.report());
    for (const tenant of this.tenants.values()) {
      tenant.restarted(dead.reason());
    }
  }

  /** Registers with a new instance what a registry holds. */
  private restore(tenant: Tenant): void {
    this.create(tenant);
    this.slots.forEachOf(tenant, (number, { identifier }) => {
      this.call((i) => i.exports.register(tenant.number, number, i.identifier(identifier)));
    });
    if (tenant.started) {
      this.call((i) => i.exports.start(tenant.number));
    }
    this.calls.forEachOf(tenant, (number, replay) => {
      this.call((i) => i.exports.begin(tenant.number, number, i.write(replay!), 0));
    });
  }

  /** Adds a registry and returns its number. */
  add(tenant: Tenant): number {
    this.tenants.set(++this.lastTenant, tenant);
    return this.lastTenant;
  }

  /** Has the program make the registry, or gives it its host anew. */
  create(tenant: Tenant): Code {
    return this.call((instance) => {
      this.bridge.adapter = tenant.adapter(instance);
      return instance.exports.create(tenant.number);
    });
  }

  /** Takes back {@link add}, for a registry that the program has refused to make. */
  forget(tenant: Tenant): void {
    this.tenants.delete(tenant.number);
  }

  /** Removes a registry. Its calls end as canceled. */
  remove(tenant: Tenant): void {
    this.calls.forEachOf(tenant, (number) => {
      this.call((i) => i.exports.cancel(tenant.number, number));
    });
    this.call((i) => i.exports.dispose(tenant.number));
    this.tenants.delete(tenant.number);
    this.slots.forEachOf(tenant, (number) => this.slots.free(number));
    this.slots.generation++;
  }

  /**
   * Performs a registered action so deep in others; its arguments, source and value stay on the page. Returns undefined when the program
   * needs the arguments, as it does for a built-in action.
   */
  perform(tenant: Tenant, identifier: string, args: Record<string, unknown>, source: Source, depth: number): Promise<Result> | undefined {
    const instance = this.running();
    const { spellings } = tenant;
    const { generation } = this.slots;
    const known = spellings.slotOf(identifier, generation);
    let code: Code = Code.Dead;
    let thrown: unknown;
    this.passedArguments = args;
    this.passedSource = source;
    try {
      code =
        known < 0
          ? instance.exports.perform(tenant.number, instance.identifier(identifier), depth)
          : instance.exports.perform_slot(known, depth);
    } catch (error) {
      thrown = error;
    }
    if (instance.dead || code <= Code.Dead) {
      this.onExit(instance, thrown);
      return Promise.resolve({ status: "failed", message: this.deathOf(instance) });
    }
    switch (code) {
      case Code.Other:
        return undefined;
      case Code.Delivered:
        return Promise.resolve(instance.delivered as Result);
    }
    const value = this.returnedValue;
    this.returnedValue = undefined;
    if (known < 0 && generation === this.slots.generation) {
      spellings.remember(identifier, this.calledSlot);
    }
    return code === Code.No ? settled(value as PromiseLike<unknown>) : Promise.resolve(performed(value));
  }

  /**
   * Begins a call that the program gets the arguments of: an identifier, the arguments, a source or null, and how deep in others
   * it is or null. What is owned needs no rule and belongs to nobody else: arguments of registered actions in it, such as those of the
   * items of a group, stay on the page.
   */
  begin(tenant: Tenant, call: unknown[], owned: boolean, signal: AbortSignal | undefined): Promise<Result> | Result {
    const instance = this.running();
    const number = this.calls.next();
    const kept: Kept[] = [];
    const keep = ([identifier, args]: readonly unknown[]): Kept | undefined => {
      if (typeof identifier !== "string" || typeof args !== "object" || args === null || Array.isArray(args)) {
        return undefined;
      }
      if (!this.slots.wasRegistered(identifier)) {
        return undefined;
      }
      const object = instance.keepObject(args);
      kept.push(object);
      return object;
    };
    const release = () => instance.release(kept);
    const bytes = instance.encode(call, owned ? keep : undefined);
    const replay = call[2] !== null && !tenant.started ? bytes.slice() : undefined;
    const code = this.tryCall(instance, (i) => i.exports.begin(tenant.number, number, i.write(bytes), owned ? 1 : 0));
    if (code === Code.Dead) {
      return { status: "failed", message: this.deathOf(instance) };
    }
    if (code === Code.Delivered) {
      release();
      return instance.delivered as Result;
    }
    const abort = () => this.tryCall(this.instance, (i) => i.exports.cancel(tenant.number, number));
    return this.calls.add(number, { tenant, replay, release }, signal, abort);
  }

  /** What an instance imports. */
  private callbacks(instance: Instance): Callbacks {
    return {
      call: (number, depth) => {
        const slot = this.slots.get(number);
        const args = this.passedArguments;
        const source = this.passedSource;
        if (slot === undefined) {
          return failure(instance, new Error("the registry was disposed of"));
        }
        const { tenant, identifier, handler } = slot;
        try {
          const value = handler({ identifier, arguments: args, source, perform: tenant.performAt(depth) });
          const later = isThenable(value);
          this.returnedValue = value;
          this.calledSlot = number;
          return later ? -1 : 0;
        } catch (thrown) {
          return failure(instance, thrown);
        }
      },
      callWith: (number, depth, args, source) => {
        const slot = this.slots.get(number);
        if (slot === undefined) {
          return failure(instance, new Error("the registry was disposed of"));
        }
        const { tenant, identifier, handler } = slot;
        try {
          const value = handler({ identifier, arguments: args, source: source as Source, perform: tenant.performAt(depth) });
          if (isThenable(value)) {
            this.returnedValue = value;
            return -1;
          }
          return success(instance, value);
        } catch (thrown) {
          return failure(instance, thrown);
        }
      },
      await: (completion) => {
        const value = this.returnedValue as PromiseLike<unknown>;
        this.returnedValue = undefined;
        this.settle(instance, completion, value);
      },
      finished: (number, result) => this.calls.finish(number, result as Result),
    };
  }

  /** Settles a completion of the program as a promise settles. */
  private settle(instance: Instance, completion: number, value: PromiseLike<unknown>): void {
    const settle = (outcome: (instance: Instance, value: unknown) => number, value: unknown) => {
      this.tryCall(instance, (i) => {
        const before = i.mark();
        const code = i.exports.settle(completion, outcome(i, value));
        if (code === Code.No) {
          i.forget(before); // the completion is gone
        }
        return code;
      });
    };
    awaited(value).then(
      (result) => settle(success, result),
      (thrown: unknown) => settle(failure, thrown),
    );
  }
}

/** How the program is given what a handler returned. */
function success(instance: Instance, value: unknown): number {
  return value === undefined ? 0 : instance.keep(value).number;
}

/** How the program is given what a handler threw: see failure in wasm/handler.go. */
function failure(instance: Instance, thrown: unknown): number {
  return instance.dead ? 0 : -1 - instance.value([describeThrown(thrown), instance.keep(thrown)]);
}
