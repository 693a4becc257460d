import { bindMethods } from "./bound.js";
import { ActionsError } from "./errors.js";
import { checkIdentifier, checkReserved, fold } from "./identifiers.js";
import type { AnyResult } from "./invocation.js";
import { describeThrown } from "./thrown.js";
import type {
  Actions,
  ActionsEvents,
  ActionTypes,
  Capability,
  Declared,
  Handler,
  Host,
  LoadableActions,
  PerformOptions,
  Registration,
  RegistryOptions,
  Result,
  Source,
  Validation,
} from "./types.js";
import { copyArguments, wellFormed } from "./values.js";

/** How many calls wait for the program. */
const mostWaiting = 1000;

/** Loads the program, and gives what makes a registry in it. */
export type Open = () => Promise<(options: RegistryOptions) => Actions>;

/** What was registered before the program was there. */
interface Entry {
  readonly identifier: string;
  readonly handler: Handler;
  /** Its registration with the program, later. */
  registration?: Registration;
}

/** A call that waits for the program. It is told why when there is none. */
type Waiting = (registry: Actions | undefined, why: unknown) => void;

/** A registry that notes what is registered until the program is there, and then leaves everything to a registry of the program. */
export class Early implements LoadableActions {
  private registry: Actions | undefined;
  private loading: Promise<void> | undefined;
  private disposed = false;
  private started = false;
  private readonly entries = new Map<string, Entry>();
  private readonly waiting = new Set<Waiting>();
  private readonly listening = new Set<(registry: Actions) => void>();

  constructor(
    private readonly open: Open,
    private options: RegistryOptions,
    readonly version: string,
  ) {
    bindMethods(this, "load");
  }

  get loaded(): boolean {
    return this.registry !== undefined;
  }

  load(): Promise<void> {
    this.loading ??= this.begin().catch((thrown: unknown) => {
      this.loading = undefined;
      this.settle(thrown);
      throw thrown;
    });
    return this.loading;
  }

  private async begin(): Promise<void> {
    this.check();
    const make = await this.open();
    this.check();
    const registry = make(this.options);
    try {
      this.hand(registry);
    } catch (thrown) {
      registry.dispose();
      throw thrown;
    }
    this.registry = registry;
    this.settle(undefined);
  }

  /** Gives a registry of the program what was noted. */
  private hand(registry: Actions): void {
    for (const listen of this.listening) {
      listen(registry);
    }
    for (const entry of this.entries.values()) {
      entry.registration = registry.register(entry.identifier, entry.handler);
    }
    if (this.started) {
      registry.start();
    }
    this.entries.clear();
  }

  /** Begins the calls that wait, in order, or says why they cannot begin. */
  private settle(why: unknown): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const call of waiting) {
      call(this.registry, why);
    }
  }

  /** Has a call wait for the program. */
  private wait(options: PerformOptions | undefined, run: (registry: Actions) => Promise<AnyResult>): Promise<AnyResult> {
    if (this.disposed) {
      return Promise.resolve(ended);
    }
    const signal = options?.signal instanceof AbortSignal ? options.signal : undefined; // what is none is refused when it runs
    if (this.waiting.size === mostWaiting) {
      return Promise.resolve({ status: "failed", message: `${mostWaiting} calls wait for the program already` });
    }
    return new Promise<Result>((resolve) => {
      const abort = () => {
        this.waiting.delete(call);
        resolve({ status: "canceled", message: "canceled before it began" });
      };
      const call: Waiting = (registry, why) => {
        signal?.removeEventListener("abort", abort);
        resolve(registry === undefined ? { status: "failed", message: describeThrown(why), cause: why } : run(registry));
      };
      if (signal?.aborted) {
        abort();
        return;
      }
      signal?.addEventListener("abort", abort);
      this.waiting.add(call);
      this.load().catch(() => {}); // the call is told
    });
  }

  register(identifier: string, handler: Handler): Registration {
    if (this.registry) {
      return this.registry.register(identifier, handler);
    }
    this.check();
    checkIdentifier(identifier);
    if (typeof handler !== "function") {
      throw new ActionsError("invalid_handler", `the action ${JSON.stringify(identifier)} has no handler: it needs the code that it runs`);
    }
    const key = fold(identifier);
    const entry: Entry = { identifier: wellFormed(identifier), handler };
    this.entries.delete(key); // the order is that of the registrations
    this.entries.set(key, entry);
    return {
      identifier: entry.identifier,
      unregister: () => {
        if (this.entries.get(key) === entry) {
          return this.entries.delete(key);
        }
        return entry.registration?.unregister() ?? false;
      },
    };
  }

  unregister(identifier: string): boolean {
    if (this.registry) {
      return this.registry.unregister(identifier);
    }
    this.check();
    checkReserved(identifier);
    return this.entries.delete(fold(identifier));
  }

  perform(identifier: string, args?: object | null, options?: PerformOptions): Promise<AnyResult> {
    if (this.registry) {
      return this.registry.perform(identifier, args, options);
    }
    const copy = copyArguments(args) ?? args;
    return this.wait(options, (registry) => registry.perform(identifier, copy, options));
  }

  trigger(identifier: string, args?: object | null, source?: Source, options?: PerformOptions): Promise<AnyResult> {
    if (this.registry) {
      return this.registry.trigger(identifier, args, source, options);
    }
    const copy = copyArguments(args) ?? args;
    return this.wait(options, (registry) => registry.trigger(identifier, copy, source, options));
  }

  validate(identifier: string, args?: object | null): Validation {
    return this.registry?.validate(identifier, args) ?? { ok: false, problems: [{ pointer: "", status: "failed", message: notLoaded }] };
  }

  capability(identifier: string): Capability {
    return this.registry?.capability(identifier) ?? { state: this.entries.has(fold(identifier)) ? "available" : "unsupported" };
  }

  list(): string[] {
    if (this.registry) {
      return this.registry.list();
    }
    this.check();
    return Array.from(this.entries.values(), ({ identifier }) => identifier).sort();
  }

  start(): void {
    this.check();
    this.started = true;
    this.registry?.start();
  }

  on<E extends keyof ActionsEvents>(event: E, listener: (detail: ActionsEvents[E]) => void): () => void {
    if (this.registry) {
      return this.registry.on(event, listener);
    }
    let off: (() => void) | undefined;
    const listen = (registry: Actions) => (off = registry.on(event, listener));
    this.listening.add(listen);
    return () => {
      this.listening.delete(listen);
      off?.();
    };
  }

  setHost(host: Host): void {
    this.check();
    this.options = { ...this.options, host };
    this.registry?.setHost(host);
  }

  create<U extends Declared<U> = ActionTypes>(options: RegistryOptions = {}): Actions<U> {
    return this.registry?.create<U>(options) ?? (new Early(this.open, { host: {}, ...options }, this.version) as unknown as Actions<U>);
  }

  dispose(): void {
    this.disposed = true;
    this.registry?.dispose();
    this.entries.clear();
    this.listening.clear();
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const call of waiting) {
      call(undefined, new ActionsError("disposed", ended.message!));
    }
  }

  private check(): void {
    if (this.disposed) {
      throw new ActionsError("disposed", ended.message!);
    }
  }
}

const ended: Result = { status: "failed", message: "the registry was disposed of" };
const notLoaded = "the program is not there yet: await load() first";
