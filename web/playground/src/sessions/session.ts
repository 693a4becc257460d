// A session is one run of an application: a registry for one host, from its launch to its restart.

import { effect, signal, type Signal } from "@preact/signals";
import type { Actions, Arguments, Core, Host, Invocation, Problem, Result, Source } from "../core/adapter";
import { inOrder, write } from "../core/json";
import type { Effects } from "../hosts/effects";
import { runHandler } from "../handlers/run";
import type { OwnHost } from "../hosts/names";
import { custom, type CustomAction } from "./state";

/** What a registry is made for. */
export interface Stage {
  name: OwnHost;
  platform: "web" | "ios" | "android";
  version: string;
  host: Host;
  effects: Effects;
}

/** One run of an application on one host. It keeps the custom actions registered. */
export class Session {
  /** Whether the SDK was started: until then triggers are held. */
  readonly started: Signal<boolean> = signal(false);
  /** Counts what changes the answers of validate and capability. */
  readonly revision: Signal<number> = signal(0);
  readonly #registry: Actions;
  readonly #waiting = new Set<(result: Result) => void>();
  readonly #stopSyncing: () => void;

  constructor(
    core: Core,
    readonly stage: Stage,
  ) {
    const { host, platform, version } = stage;
    this.#registry = core.create({ host, platform, version });
    this.#stopSyncing = effect(() => this.#sync(custom.value));
  }

  /** Performs or triggers an action; a trigger has a source. */
  run(identifier: string, args: Arguments, source?: Source): Promise<Result> {
    const result = source ? this.#registry.trigger(identifier, args, source) : this.#registry.perform(identifier, args);
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      result.then(resolve, reject).finally(() => this.#waiting.delete(resolve));
    });
  }

  start(): void {
    if (this.started.value) return;
    this.started.value = true;
    this.#registry.start();
  }

  validate(identifier: string, args: Arguments): readonly Problem[] {
    return this.#registry.validate(identifier, args).problems;
  }

  capability(identifier: string): "available" | "needs_gesture" | "unsupported" {
    return this.#registry.capability(identifier).state;
  }

  /** Ends the session, as the system ends an application: what is not finished will never be. */
  end(): void {
    this.#stopSyncing();
    for (const resolve of this.#waiting)
      resolve({ status: "canceled", message: "the application was restarted before it had finished" });
    this.#waiting.clear();
    this.#registry.dispose();
  }

  #sync(wanted: readonly CustomAction[]): void {
    for (const name of this.#registry.list()) if (!wanted.some((action) => action.name === name)) this.#registry.unregister(name);
    for (const action of wanted) {
      try {
        this.#registry.register(action.name, (invocation) => handle(action, invocation, this.stage.effects));
      } catch {
        // A link may carry a name that cannot be registered: performing it says that there is no such action.
      }
    }
    this.revision.value = this.revision.peek() + 1;
  }
}

/** Notes that a custom action was called, and runs its handler. */
function handle({ source: code }: CustomAction, invocation: Invocation, effects: Effects): Promise<unknown> {
  const { identifier, arguments: args, source } = invocation;
  effects.note(
    `${identifier} called`,
    `source ${source.kind}${source.payload ? ` ${write(inOrder(source.payload), 0)}` : ""}, arguments ${write(inOrder(args), 0)}`,
  );
  return runHandler(code, invocation, (said) => effects.note(said));
}

/** What is registered after an action is added to others: it replaces one of the same identifier. Throws when it is refused. */
export function withAction(core: Core, others: readonly CustomAction[], added: CustomAction): CustomAction[] {
  const trial = core.create();
  try {
    for (const { name } of others) trial.register(name, () => undefined);
    trial.register(added.name, () => undefined);
    const left = trial.list();
    return [...others.filter(({ name }) => name !== added.name && left.includes(name)), added];
  } finally {
    trial.dispose();
  }
}
