// The hosts, and the session that runs on each of them.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { loadCore, messageOf, type Core } from "../core/adapter";
import { announcement } from "../core/announcement";
import { app } from "../hosts/apps";
import { Browser } from "../hosts/browser";
import { phone as phoneConditions } from "../hosts/conditions";
import { hostTitles, type OwnHost } from "../hosts/names";
import { Phone } from "../hosts/phone";
import { Remote } from "./remote";
import { Session, withAction } from "./session";
import { custom, type CustomAction } from "./state";

/** How far loading has come. */
export type Loading =
  | { state: "idle" }
  | { state: "loading" }
  | { state: "ready" }
  | { state: "failed"; message: string };

/** This browser. */
export const browser = new Browser();
/** The simulated phone. */
export const phone = new Phone();
/** Whether the actions are there. */
export const loading = signal<Loading>({ state: "idle" });
/** The session of each host; none until the actions are loaded, and of an app until one has joined. */
export const sessions = signal<{ browser?: Session; phone?: Session; app?: Remote }>({});

let core: Core | undefined;

/** Loads the actions and starts a session on each host. May be called again after a failure. */
export async function load(): Promise<void> {
  loading.value = { state: "loading" };
  try {
    core = await loadCore();
  } catch (error) {
    loading.value = { state: "failed", message: messageOf(error) };
    return;
  }
  loading.value = { state: "ready" };
  effect(() => {
    void phoneShape.value;
    untracked(() => replace("phone", sessions.value.phone?.started.value ?? true));
  });
  effect(() => {
    void appShape.value;
    untracked(replaceApp);
  });
  if (!sessions.value.browser) replace("browser", true);
}

// What a session of an app judges by.
const appShape = computed(() => {
  const { id, state, platform, actions, capabilities } = app.value ?? {};
  return JSON.stringify([id, state, platform, actions, capabilities]);
});

function replaceApp(): void {
  const { app: before, ...others } = sessions.value;
  before?.end();
  sessions.value = core && app.value ? { ...others, app: new Remote(core, app.value) } : others;
}

// What of the phone's conditions is fixed while an application runs; permissions change under it.
const phoneShape = computed(() => {
  const { platform, version, interceptor, capabilities } = phoneConditions.value;
  return JSON.stringify([platform, version, interceptor, capabilities]);
});

function replace(name: OwnHost, start: boolean): void {
  if (!core) return;
  if (name === "phone") phone.prompts.clear();
  const made = new Session(core, stage(name, core));
  sessions.value[name]?.end();
  sessions.value = { ...sessions.value, [name]: made };
  if (start) made.start();
}

function stage(name: OwnHost, loaded: Core): Session["stage"] {
  if (name === "browser") return { name, platform: "web", version: "", host: browser.host(loaded), effects: browser.effects };
  const { platform, version } = phoneConditions.value;
  return { name, platform, version, host: phone.host(), effects: phone.effects };
}

/** Registers an action with both hosts, in the place of another one if `replaced` names it. Throws when the actions refuse it. */
export function register(action: CustomAction, replaced?: CustomAction): void {
  if (!core) throw new Error("the actions are not loaded");
  custom.value = withAction(core, custom.value.filter((other) => other !== replaced), action);
}

/** Restarts a host's application: registrations are made again, the SDK is not started yet. */
export function restart(name: OwnHost): void {
  batch(() => {
    (name === "browser" ? browser : phone).relaunch();
    replace(name, false);
  });
  announcement.value = `${hostTitles[name]}: restarted. The SDK is not started.`;
}

/** Starts a host's SDK: held triggers are delivered. */
export function start(name: OwnHost): void {
  sessions.value[name]?.start();
  announcement.value = `${hostTitles[name]}: the SDK is started.`;
}
