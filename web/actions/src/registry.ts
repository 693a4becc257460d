import { makeAdapter, type Adapter } from "./adapter.js";
import { bindMethods } from "./bound.js";
import type { Engine } from "./engine.js";
import { ActionsError } from "./errors.js";
import { Code } from "./exports.js";
import type { Instance } from "./instance.js";
import { manual, type AnyResult, type Perform } from "./invocation.js";
import { Listeners } from "./listeners.js";
import { Spellings } from "./spellings.js";
import type { Tenant } from "./tenant.js";
import { describeThrown } from "./thrown.js";
import type {
  Actions,
  ActionsEvents,
  ActionTypes,
  Arguments,
  Capability,
  Declared,
  Handler,
  Host,
  PerformOptions,
  Problem,
  Registration,
  RegistryOptions,
  Result,
  Source,
  Validation,
} from "./types.js";
import { copyArguments, isWellFormed, wellFormed } from "./values.js";

/** An identifier that is not a string becomes the empty one, which the program refuses where it matters. */
function text(identifier: unknown): string {
  return typeof identifier === "string" ? identifier : "";
}

/** One registry: the page's side of what the program keeps under a number. */
export class Registry implements Actions, Tenant {
  /** @internal */
  readonly number: number;
  /** @internal */
  readonly spellings = new Spellings();
  /** @internal */
  started = false;
  private readonly listeners = new Listeners();
  private readonly performs: Perform[] = [];
  private disposed = false;
  private host: Host;

  constructor(
    private readonly engine: Engine,
    private readonly options: RegistryOptions,
    readonly version: string,
    private readonly leave: () => boolean = () => true,
  ) {
    this.host = options.host ?? {};
    bindMethods(this);
    this.number = engine.add(this);
    if (engine.create(this) === Code.Delivered) {
      engine.forget(this);
      this.disposed = true;
      throw engine.refusal();
    }
  }

  /** @internal */
  adapter(instance: Instance): Adapter {
    return makeAdapter((i, operation) => this.engine.tryCall(i, operation), instance, this.options, this.host);
  }

  /** @internal */
  restarted(reason: string): void {
    this.listeners.emit("restarted", { reason });
  }

  register(identifier: string, handler: Handler): Registration {
    this.check();
    const { engine } = this;
    const name = wellFormed(text(identifier));
    const callable = typeof handler === "function";
    const slot = callable ? engine.slots.alloc({ tenant: this, identifier: name, handler }) : -1;
    const code = engine.call((i) => i.exports.register(this.number, slot, i.identifier(name)));
    if (code === Code.Delivered) {
      if (callable) {
        engine.slots.free(slot);
      }
      throw engine.refusal();
    }
    this.freed(code);
    engine.slots.note(name);
    this.listeners.emit("registered", { identifier: name });
    const registered = engine.slots.get(slot);
    return {
      identifier: name,
      unregister: () => {
        if (this.disposed || engine.slots.get(slot) !== registered) {
          return false;
        }
        return this.removed(engine.call((i) => i.exports.release(slot)));
      },
    };
  }

  unregister(identifier: string): boolean {
    this.check();
    return this.removed(this.engine.call((i) => i.exports.unregister(this.number, i.identifier(text(identifier)))));
  }

  /** Ends an unregister: says whether something was removed. */
  private removed(code: Code): boolean {
    if (code === Code.Delivered) {
      throw this.engine.refusal();
    }
    const identifier = this.freed(code);
    if (identifier === undefined) {
      return false;
    }
    this.listeners.emit("unregistered", { identifier });
    return true;
  }

  /** Ends a change of what is registered: frees the slot that the program names, and returns its identifier. */
  private freed(code: Code): string | undefined {
    const { slots } = this.engine;
    slots.generation++;
    return code >= Code.Slot ? slots.free(code - Code.Slot)?.identifier : undefined;
  }

  perform(identifier: string, args?: object | null, options?: PerformOptions): Promise<AnyResult> {
    if (!this.listeners.watched) {
      return this.run(null, null, identifier, args, options);
    }
    return this.observed(identifier, args, manual, () => this.run(null, null, identifier, args, options));
  }

  trigger(identifier: string, args?: object | null, source?: Source, options?: PerformOptions): Promise<AnyResult> {
    let from: Source;
    try {
      from = sourceOf(source);
    } catch (thrown) {
      return Promise.resolve({ status: "invalid_arguments", message: describeThrown(thrown) });
    }
    const run = () => this.run(from, null, identifier, args, options);
    return this.listeners.watched ? this.observed(identifier, args, source ?? manual, run) : run();
  }

  /** @internal */
  performAt(depth: number): Perform {
    return (this.performs[depth] ??= (identifier, args) => {
      const run = () => this.run(null, depth, identifier, args, undefined);
      return this.listeners.watched ? this.observed(identifier, args, manual, run) : run();
    });
  }

  /** Runs an action with the listeners called before and after. */
  private observed(identifier: string, args: object | null | undefined, source: Source, run: () => Promise<Result>): Promise<Result> {
    const detail = { identifier, arguments: (args ?? {}) as Arguments, source };
    this.listeners.emit("performing", detail);
    return run().then((result) => {
      this.listeners.emit("performed", { ...detail, result });
      return result;
    });
  }

  /**
   * Runs an action. One whose arguments and source need no rule takes the fast path: when it is a registered one they stay on the page.
   */
  private run(
    source: Source | null,
    depth: number | null,
    identifier: string,
    args: object | null | undefined,
    options: PerformOptions | undefined,
  ): Promise<Result> {
    try {
      const signal = options?.signal;
      if (signal !== undefined && !(signal instanceof AbortSignal)) {
        return Promise.resolve({ status: "failed", message: "the option signal must be an AbortSignal" });
      }
      if (this.disposed) {
        return Promise.resolve({ status: "failed", message: "the registry was disposed of" });
      }
      if (signal?.aborted) {
        return Promise.resolve({ status: "canceled", message: "canceled before it began" });
      }
      if (signal === undefined && typeof identifier === "string" && (source === null || this.started)) {
        const copy = copyArguments(args);
        const from = source === null ? manual : copySource(source);
        if (copy !== undefined && from !== undefined) {
          return (
            this.engine.perform(this, identifier, copy, from, depth ?? 0) ??
            Promise.resolve(this.engine.begin(this, [identifier, copy, source && from, depth], true, undefined))
          );
        }
      }
      return Promise.resolve(this.engine.begin(this, [text(identifier), args, source, depth], false, signal));
    } catch (thrown) {
      return Promise.resolve({ status: "failed", message: describeThrown(thrown) });
    }
  }

  validate(identifier: string, args?: object | null): Validation {
    this.check();
    const problems = this.engine.ask((i) => i.exports.validate(this.number, i.value([text(identifier), args]))) as Problem[];
    return { ok: problems.length === 0, problems };
  }

  capability(identifier: string): Capability {
    this.check();
    return { state: this.engine.ask((i) => i.exports.capability(this.number, i.identifier(text(identifier)))) as Capability["state"] };
  }

  list(): string[] {
    this.check();
    return this.engine.ask((i) => i.exports.list(this.number)) as string[];
  }

  start(): void {
    this.check();
    this.started = true;
    this.engine.call((i) => i.exports.start(this.number));
  }

  on<E extends keyof ActionsEvents>(event: E, listener: (detail: ActionsEvents[E]) => void): () => void {
    return this.listeners.add(event, listener);
  }

  setHost(host: Host): void {
    this.check();
    this.host = host;
    this.engine.create(this);
  }

  create<U extends Declared<U> = ActionTypes>(options: RegistryOptions = {}): Actions<U> {
    return new Registry(this.engine, options, this.version) as unknown as Actions<U>;
  }

  dispose(): void {
    if (!this.disposed && this.leave()) {
      this.engine.remove(this);
      this.disposed = true;
    }
  }

  private check(): void {
    if (this.disposed) {
      throw new ActionsError("disposed", "the registry was disposed of");
    }
  }
}

/** Reads a source: none is the manual one. Throws when it is no object with a text as kind. */
function sourceOf(source: Source | undefined): Source {
  if (source === undefined || source === null) {
    return manual;
  }
  const { kind, payload } = source;
  if (typeof source !== "object" || typeof kind !== "string") {
    throw new TypeError('the source must be an object whose kind is a text, such as { kind: "push", payload: {} }');
  }
  return { kind, payload } as Source;
}

/** Copies a source that needs no rule. Returns undefined for all others, for the program to decide. */
function copySource({ kind, payload }: Source): Source | undefined {
  if (kind === "" || !isWellFormed(kind)) {
    return undefined;
  }
  if (payload === undefined || payload === null) {
    return { kind };
  }
  const copy = copyArguments(payload);
  return copy && { kind, payload: copy };
}
