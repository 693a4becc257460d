/**
 * For tests of an application's own handlers, in Node or in a browser: a registry on a host in memory, which notes what is done to it
 * and answers as the test says.
 *
 *     const { actions, effects } = createTestActions();
 *     actions.register("share", ({ perform }) => perform("service.clipboard", { t: "a link" }));
 *     await actions.perform("share");
 *     assert.deepEqual(effects, [{ host: "clipboard.write", text: "a link" }]);
 *
 * @packageDocumentation
 */
import { createActions, HostError } from "./index.js";
import type { ActionTypes, CapabilityName, Declared, Host, HostErrorCode, LoadableActions, LoadOptions, Permission, UserEvent } from "./index.js";

/** What was done to the host, in the form that the vectors of the actions have. */
export type Effect =
  | { readonly host: "dismiss" | "notifications.request" | "review.request" | "tracking.request" }
  | { readonly host: "link.open"; readonly url: string; readonly in_app: boolean }
  | { readonly host: "interceptor"; readonly url: string }
  | { readonly host: "settings.open"; readonly page: "notifications" | "app" }
  | { readonly host: "clipboard.write"; readonly text: string }
  | { readonly host: "tag.add" | "tag.remove"; readonly collection: string; readonly tag: string }
  | ({ readonly host: "event" } & UserEvent);

/** The prompts that a user answers. */
export type Prompt = "notifications" | "tracking";

/** Options of {@link createTestHost}. */
export interface TestHostOptions {
  /** Capabilities that the host does not have. It has all, but an interceptor. */
  readonly without?: readonly CapabilityName[];
  /** The permissions at the beginning; `not_determined` by default. */
  readonly permissions?: { readonly [prompt in Prompt]?: Permission };
  /** Says which links the application opens by itself. Without it there is no interceptor. */
  readonly intercept?: (url: string) => boolean;
}

/** A host in memory, and what a test needs of it. */
export interface TestHost {
  readonly host: Host;
  /** What was done to the host, in order. Always the same array. */
  readonly effects: Effect[];
  /**
   * Says what the user answers to a prompt from now on; the permission becomes that. A prompt that nobody answers makes its action
   * `failed`, with a message that says so.
   */
  answer(prompt: Prompt, permission: Permission): void;
  /** Has a capability refuse from now on. */
  refuse(capability: CapabilityName, code: HostErrorCode, message?: string): void;
  /** Forgets effects, answers and refusals. Permissions are those of the beginning. */
  reset(): void;
}

/** A registry on a host in memory. */
export interface TestActions<T extends Declared<T> = ActionTypes> extends TestHost {
  readonly actions: LoadableActions<T>;
}

/** Makes a host in memory. */
export function createTestHost(options: TestHostOptions = {}): TestHost {
  const effects: Effect[] = [];
  const answers = new Map<Prompt, Permission>();
  const refusals = new Map<CapabilityName, HostError>();
  const permissions = new Map<Prompt, Permission>();
  const reset = () => {
    effects.length = 0;
    answers.clear();
    refusals.clear();
    for (const prompt of ["notifications", "tracking"] as const) {
      permissions.set(prompt, options.permissions?.[prompt] ?? "not_determined");
    }
  };
  reset();

  const note = (capability: CapabilityName, effect: Effect) => {
    const refusal = refusals.get(capability);
    if (refusal) {
      throw refusal;
    }
    effects.push(effect);
  };
  const ask = (prompt: Prompt) => ({
    status: () => permissions.get(prompt)!,
    request: () => {
      note(prompt, { host: `${prompt}.request` });
      const permission = answers.get(prompt);
      if (permission === undefined) {
        throw new HostError("failed", `nobody answered the prompt for ${prompt}: say answer("${prompt}", "authorized") before, or "denied"`);
      }
      permissions.set(prompt, permission);
      return permission;
    },
  });
  const { intercept } = options;
  const capabilities: { readonly [name in CapabilityName]: Host } = {
    dismisser: { dismisser: { dismiss: () => note("dismisser", { host: "dismiss" }) } },
    link_opener: { linkOpener: { open: (url, { inApp }) => note("link_opener", { host: "link.open", url, in_app: inApp }) } },
    interceptor: intercept
      ? {
          interceptor: {
            handle(url) {
              note("interceptor", { host: "interceptor", url });
              return intercept(url);
            },
          },
        }
      : {},
    notifications: { notifications: ask("notifications") },
    settings: { settings: { open: (page) => note("settings", { host: "settings.open", page }) } },
    clipboard: { clipboard: { write: (text) => note("clipboard", { host: "clipboard.write", text }) } },
    reviewer: { reviewer: { request: () => note("reviewer", { host: "review.request" }) } },
    tracking: { tracking: ask("tracking") },
    user_data: {
      userData: {
        addTag: (collection, tag) => note("user_data", { host: "tag.add", collection, tag }),
        removeTag: (collection, tag) => note("user_data", { host: "tag.remove", collection, tag }),
        sendEvent: (event) => note("user_data", { host: "event", ...event }),
      },
    },
  };
  const missing = new Set(options.without);
  const names = (Object.keys(capabilities) as CapabilityName[]).filter((name) => !missing.has(name));
  return {
    host: Object.assign({}, ...names.map((name) => capabilities[name])) as Host,
    effects,
    answer: (prompt, permission) => void answers.set(prompt, permission),
    refuse: (capability, code, message = "refused by the test") => void refusals.set(capability, new HostError(code, message)),
    reset,
  };
}

/** Options of {@link createTestActions}. */
export interface TestOptions extends TestHostOptions, Omit<LoadOptions, "host"> {
  /** Whether triggers are delivered at once; true by default. With false the test calls `start()`, or what it tests does. */
  readonly started?: boolean;
}

/**
 * Makes a registry on a host in memory. It is started, so that a trigger is delivered and not held, and needs nobody's gesture. The
 * program is loaded with the first perform.
 */
export function createTestActions<T extends Declared<T> = ActionTypes>(options: TestOptions = {}): TestActions<T> {
  const { without: _without, permissions: _permissions, intercept: _intercept, started = true, ...others } = options;
  const test = createTestHost(options);
  const actions = createActions<T>({ ...others, host: { needsGesture: () => false, ...test.host } });
  if (started) {
    actions.start();
  }
  return { ...test, actions };
}
