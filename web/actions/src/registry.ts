import { makeAdapter, type Adapter } from "./adapter.js";
import type { Engine } from "./engine.js";
import { ActionsError, type ActionsErrorCode } from "./errors.js";
import { Code, type Instance } from "./instance.js";
import { manual } from "./invocation.js";
import { Listeners } from "./listeners.js";
import { Spellings } from "./spellings.js";
import { describeThrown } from "./thrown.js";
import type {
  Actions,
  ActionsEvents,
  Arguments,
  Capability,
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
import { copyArguments, wellFormed } from "./values.js";

/** What is no text is the empty one, which the program refuses where it matters. */
function text(identifier: unknown): string {
  return typeof identifier === "string" ? identifier : "";
}

/** One registry: the page's side of what the program keeps under a number. */
export class Registry implements Actions {
  readonly listeners = new Listeners();
  readonly number: number;
  started = false;
  private disposed = false;
  private host: Host;
  private readonly spellings = new Spellings();

  constructor(
    private readonly engine: Engine,
    private readonly options: RegistryOptions,
    readonly version: string,
  ) {
    this.host = options.host ?? {};
    this.number = engine.add(this);
    if (engine.create(this) === Code.Delivered) {
      engine.registries.delete(this.number);
      this.disposed = true;
      throw this.error();
    }
  }

  /** @internal */
  adapter(instance: Instance): Adapter {
    return makeAdapter(this.engine, instance, this.options, this.host);
  }

  register(identifier: string, handler: Handler): Registration {
    this.check();
    const { engine } = this;
    const name = wellFormed(text(identifier));
    const callable = typeof handler === "function";
    const slot = callable ? engine.occupy({ registry: this, identifier: name, handler }) : -1;
    const code = engine.enter((i) => i.exports.register(this.number, slot, i.identifier(name)));
    if (code === Code.Delivered) {
      if (callable) {
        engine.vacate(slot);
      }
      throw this.error();
    }
    this.vacated(code);
    this.listeners.emit("registered", { identifier: name });
    const occupant = engine.occupant(slot);
    return {
      identifier: name,
      unregister: () => {
        if (this.disposed || engine.occupant(slot) !== occupant) {
          return false;
        }
        return this.removed(engine.enter((i) => i.exports.release(slot)));
      },
    };
  }

  unregister(identifier: string): boolean {
    this.check();
    return this.removed(this.engine.enter((i) => i.exports.unregister(this.number, i.identifier(text(identifier)))));
  }

  /** Ends an unregister: says whether something was removed. */
  private removed(code: Code): boolean {
    if (code === Code.Delivered) {
      throw this.error();
    }
    const slot = this.vacated(code);
    if (slot === undefined) {
      return false;
    }
    this.listeners.emit("unregistered", { identifier: slot });
    return true;
  }

  /** Forgets the handler that the program names, and gives its identifier. */
  private vacated(code: number): string | undefined {
    this.engine.generation++;
    return code >= Code.Slot ? this.engine.vacate(code - Code.Slot)?.identifier : undefined;
  }

  perform(identifier: string, args?: Arguments | null, options?: PerformOptions): Promise<Result> {
    const begin = () => this.run(null, null, identifier, args, options);
    return this.listeners.watched ? this.told(identifier, args, manual, begin) : begin();
  }

  trigger(identifier: string, args?: Arguments | null, source?: Source, options?: PerformOptions): Promise<Result> {
    let from: { kind: string; payload: unknown };
    try {
      from = sourceOf(source);
    } catch (thrown) {
      return Promise.resolve({ status: "invalid_arguments", message: describeThrown(thrown) });
    }
    const run = () => this.run(from, null, identifier, args, options);
    return this.listeners.watched ? this.told(identifier, args, source ?? manual, run) : run();
  }

  /** @internal */
  performInside(depth: number, identifier: string, args?: Arguments | null): Promise<Result> {
    const run = () => this.run(null, depth, identifier, args, undefined);
    return this.listeners.watched ? this.told(identifier, args, manual, run) : run();
  }

  /** Tells the listeners before and after. */
  private told(identifier: string, args: Arguments | null | undefined, source: Source, run: () => Promise<Result>): Promise<Result> {
    const detail = { identifier, arguments: args ?? {}, source };
    this.listeners.emit("performing", detail);
    return run().then((result) => {
      this.listeners.emit("performed", { ...detail, result });
      return result;
    });
  }

  /** Runs an action. A registered one takes the short way, on which its arguments stay on the page. */
  private run(
    source: object | null,
    depth: number | null,
    identifier: string,
    args: Arguments | null | undefined,
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
      if (source === null && depth === null && signal === undefined && typeof identifier === "string") {
        const copy = copyArguments(args);
        const result = copy === undefined ? undefined : this.direct(identifier, copy);
        if (result !== undefined) {
          return result;
        }
      }
      return Promise.resolve(this.engine.begin(this, [text(identifier), args, source, depth], signal));
    } catch (thrown) {
      return Promise.resolve({ status: "failed", message: describeThrown(thrown) });
    }
  }

  /** Performs a registered action, or gives undefined when there is none. */
  private direct(identifier: string, args: Record<string, unknown>): Promise<Result> | undefined {
    const { engine, spellings } = this;
    const instance = engine.live();
    const { generation } = engine;
    const slot = spellings.slotOf(identifier, generation);
    let code: Code = Code.Dead;
    let thrown: unknown;
    engine.arguments = args;
    try {
      code =
        slot < 0
          ? instance.exports.perform(this.number, instance.identifier(identifier))
          : instance.exports.perform_slot(slot);
    } catch (error) {
      thrown = error;
    }
    if (instance.dead || code <= Code.Dead) {
      engine.ended(instance, thrown);
      return Promise.resolve({ status: "failed", message: engine.deathOf(instance) });
    }
    switch (code) {
      case Code.Other:
        return undefined;
      case Code.Delivered:
        return Promise.resolve(instance.delivered as Result);
    }
    const { value } = engine;
    engine.value = undefined;
    if (slot < 0 && generation === engine.generation) {
      spellings.remember(identifier, engine.slot);
    }
    if (code === Code.No) {
      return outcomeOf(value as PromiseLike<unknown>);
    }
    return Promise.resolve(performed(value));
  }

  validate(identifier: string, args?: Arguments | null): Validation {
    this.check();
    this.engine.enter((i) => i.exports.validate(this.number, i.value([text(identifier), args])));
    const problems = this.engine.live().delivered as Problem[];
    return { ok: problems.length === 0, problems };
  }

  capability(identifier: string): Capability {
    this.check();
    this.engine.enter((i) => i.exports.capability(this.number, i.identifier(text(identifier))));
    return { state: this.engine.live().delivered as Capability["state"] };
  }

  list(): string[] {
    this.check();
    this.engine.enter((i) => i.exports.list(this.number));
    return this.engine.live().delivered as string[];
  }

  start(): void {
    this.check();
    this.started = true;
    this.engine.enter((i) => i.exports.start(this.number));
  }

  on<E extends keyof ActionsEvents>(event: E, listener: (detail: ActionsEvents[E]) => void): () => void {
    return this.listeners.add(event, listener);
  }

  setHost(host: Host): void {
    this.check();
    this.host = host;
    this.engine.create(this);
  }

  create(options: RegistryOptions = {}): Actions {
    return new Registry(this.engine, options, this.version);
  }

  dispose(): void {
    if (!this.disposed) {
      this.engine.remove(this);
      this.disposed = true;
    }
  }

  private check(): void {
    if (this.disposed) {
      throw new ActionsError("disposed", "the registry was disposed of");
    }
  }

  /** Makes the error that the program has just given. */
  private error(): ActionsError {
    const { code, message } = this.engine.live().delivered as { code: ActionsErrorCode; message: string };
    return new ActionsError(code, message);
  }
}

function performed(value: unknown): Result {
  return value === undefined ? { status: "performed" } : { status: "performed", value };
}

/** Awaits what a handler returned. */
async function outcomeOf(value: PromiseLike<unknown>): Promise<Result> {
  try {
    return performed(await value);
  } catch (thrown) {
    return { status: "failed", message: describeThrown(thrown), cause: thrown };
  }
}

/** Reads a source: none is the manual one. Throws when it is no object with a text as kind. */
function sourceOf(source: Source | undefined): { kind: string; payload: unknown } {
  if (source === undefined || source === null) {
    return { kind: manual.kind, payload: undefined };
  }
  const { kind, payload } = source;
  if (typeof source !== "object" || typeof kind !== "string") {
    throw new TypeError('the source must be an object whose kind is a text, such as { kind: "push", payload: {} }');
  }
  return { kind, payload };
}
