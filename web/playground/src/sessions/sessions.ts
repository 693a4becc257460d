// The rehearsal: both hosts, their sessions, and what the buttons of the page do.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { codeOf, loadCore, messageOf, type Arguments, type Core, type Source } from "../core/adapter";
import { parse, parseObject } from "../core/json";
import * as log from "./log";
import { Session, withAction } from "./session";
import * as state from "./state";
import { Browser } from "../hosts/browser";
import { Phone } from "../hosts/phone";

/** How far loading has come. */
export type Loading =
  | { state: "idle" }
  | { state: "loading" }
  | { state: "ready"; version: string }
  | { state: "failed"; code: string; message: string };

/** This browser. */
export const browser = new Browser();
/** The simulated phone. */
export const phone = new Phone();
/** Whether the actions are there. */
export const loading = signal<Loading>({ state: "idle" });
/** The session of each host; none until the actions are loaded. */
export const sessions = signal<Partial<Record<log.HostName, Session>>>({});

/** How long a delayed call waits: longer than any browser lets a click count. */
export const delay = 6000;

let core: Core | undefined;

/** Loads the actions and raises the curtain. May be called again after a failure. */
export async function load(): Promise<void> {
  loading.value = { state: "loading" };
  try {
    core = await loadCore();
  } catch (error) {
    loading.value = { state: "failed", code: codeOf(error), message: messageOf(error) };
    return;
  }
  loading.value = { state: "ready", version: core.version };
  effect(() => {
    void phoneShape.value;
    untracked(() => replace("phone", sessions.value.phone?.started.value ?? true));
  });
  effect(() => {
    void state.supplies.value;
    untracked(() => {
      if (sessions.value.browser) sessions.value.browser.setHost(browser.host(core!));
      else replace("browser", true);
    });
  });
}

// What of the phone's conditions is fixed while an application runs; permissions change under it.
const phoneShape = computed(() => {
  const { platform, version, interceptor, capabilities } = state.phone.value;
  return JSON.stringify([platform, version, interceptor, capabilities]);
});

function replace(name: log.HostName, start: boolean): void {
  if (!core) return;
  (name === "browser" ? browser : phone).prompts.clear();
  const made = new Session(core, stage(name, core));
  sessions.value[name]?.end();
  sessions.value = { ...sessions.value, [name]: made };
  if (start) made.start();
}

function stage(name: log.HostName, loaded: Core): Session["stage"] {
  if (name === "browser") return { name, platform: "web", version: "", host: browser.host(loaded), effects: browser.effects };
  const { platform, version } = state.phone.value;
  return { name, platform, version, host: phone.host(), effects: phone.effects };
}

/** Registers an action with both hosts. Throws when the actions refuse it. */
export function register(action: state.CustomAction): void {
  if (!core) throw new Error("the actions are not loaded");
  state.custom.value = withAction(core, state.custom.value, action);
}

/** Restarts a host's application: registrations are made again, the SDK is not started yet. */
export function restart(name: log.HostName): void {
  batch(() => {
    (name === "browser" ? browser : phone).relaunch();
    replace(name, false);
  });
  log.announcement.value = `${log.hostTitles[name]}: restarted. The SDK is not started.`;
}

/** Starts a host's SDK: held triggers are delivered. */
export function start(name: log.HostName): void {
  sessions.value[name]?.start();
  log.announcement.value = `${log.hostTitles[name]}: the SDK is started.`;
}

/** The source that the person chose: none for a perform, a reason when it cannot be read. */
export const source = computed<{ ok: true; source?: Source } | { ok: false; message: string }>(() => {
  switch (state.sourceKind.value) {
    case "manual":
      return { ok: true };
    case "other":
      return state.otherKind.value.trim() === ""
        ? { ok: false, message: "a kind is required" }
        : { ok: true, source: { kind: state.otherKind.value } };
    case "push": {
      const payload = parseObject(state.pushPayload.value);
      return payload.ok ? { ok: true, source: { kind: "push", payload: payload.value } } : payload;
    }
  }
});

/** The arguments as they are typed. What is JSON but no object goes on to the actions, which say what they think of it. */
export const args = computed(() => parse(state.text.value));

/** Why nothing can be run at the moment; "" when it can. */
export const obstacle = computed(() => {
  if (loading.value.state !== "ready") return "the actions are not loaded";
  if (!args.value.ok) return `the arguments are not strict JSON: ${args.value.message}`;
  if (!source.value.ok) return `the source cannot be read: ${source.value.message}`;
  return "";
});

/** Performs or triggers what the person has set up, on one host. It calls into the host before it returns: a click still counts. */
export function run(name: log.HostName): void {
  if (obstacle.value || !args.value.ok || !source.value.ok) {
    log.announcement.value = `Not run: ${obstacle.value}.`;
    return;
  }
  const call = { identifier: state.identifier.value, args: args.value.value as Arguments, source: source.value.source };
  const key = log.add({
    host: name,
    identifier: call.identifier,
    text: state.text.value,
    source: call.source?.kind ?? "manual",
    phase: state.delayed.value ? "late" : "running",
  });
  if (state.delayed.value) setTimeout(() => go(name, key, call), delay);
  else go(name, key, call);
}

function go(name: log.HostName, key: number, call: { identifier: string; args: Arguments; source?: Source | undefined }): void {
  const session = sessions.value[name];
  if (!session) return;
  const begun = performance.now();
  const done = (result: log.Entry["result"]): void => log.finish(key, result!, performance.now() - begun);
  const held = call.source !== undefined && !session.started.value;
  const running = session.run(call.identifier, call.args, call.source);
  log.update(key, { phase: held ? "held" : "running" });
  running.then(done, (error: unknown) => done({ status: "failed", message: messageOf(error) }));
}

/** How many triggers a host holds. */
export const heldBy = (name: log.HostName): number =>
  log.entries.value.filter((e) => e.host === name && e.phase === "held").length;
