// The call that the user has set up, and running it.

import { computed } from "@preact/signals";
import { messageOf, type Arguments, type Result, type Source } from "../core/adapter";
import { announcement } from "../core/announcement";
import { parse, parseObject } from "../core/json";
import { app, type AppAction } from "../hosts/apps";
import { hostTitles, type HostName } from "../hosts/names";
import * as log from "./log";
import { loading, phone, sessions } from "./sessions";
import * as state from "./state";

/** The source that the user chose: none for a perform, a reason when it cannot be read. */
export const source = computed<{ ok: true; source?: Source } | { ok: false; message: string }>(() => {
  if (state.sourceKind.value === "manual") return { ok: true };
  const payload = parseObject(state.pushPayload.value);
  return payload.ok ? { ok: true, source: { kind: "push", payload: payload.value } } : payload;
});

/** The arguments as they are typed. What is JSON but no object goes on to the actions, which say what they think of it. */
export const args = computed(() => parse(state.text.value));

/** Why nothing can be run at the moment; "" when it can. */
export const obstacle = computed(() => {
  if (loading.value.state !== "ready") return "the actions are not loaded";
  if (!args.value.ok) return `the arguments are not strict JSON: ${args.value.message}`;
  if (!source.value.ok) return `the source cannot be read: ${source.value.message}`;
  if (chosenHosts.value.includes("app") && !app.value) return "no app has joined";
  return "";
});

/** The hosts that the call runs on. The browser comes first: it is the one that needs the click. */
export const chosenHosts = computed<readonly HostName[]>(() =>
  state.target.value === "both" ? [state.beside.value, "phone"] : [state.target.value],
);

/** What a host is called. */
export const titleOf = (name: HostName): string => (name === "app" && app.value?.name) || hostTitles[name];

/** The chosen action as the app has registered it, where the call runs on one. */
export const appAction = computed(() => {
  const asked = state.identifier.value.toLowerCase();
  return chosenHosts.value.includes("app") ? app.value?.actions.find(({ identifier }) => identifier.toLowerCase() === asked) : undefined;
});

/** Arguments to begin with, for an action of an app: its sample, or else what it was last seen to be given. */
export const sampleOf = ({ identifier, sample }: AppAction): Record<string, unknown> =>
  sample ?? app.peek()?.performed?.findLast((one) => one.identifier.toLowerCase() === identifier.toLowerCase())?.arguments ?? {};

/** Performs or triggers what the user has set up, on the chosen hosts. It calls into them before it returns: a click still counts. */
export function runCall(): void {
  if (obstacle.value || !args.value.ok || !source.value.ok) {
    announcement.value = `Not run: ${obstacle.value}.`;
    return;
  }
  for (const name of chosenHosts.value) runOn(name, args.value.value as Arguments, source.value.source);
}

function runOn(name: HostName, args: Arguments, source: Source | undefined): void {
  const call = { identifier: state.identifier.value, args, source };
  const key = log.add({
    host: name,
    title: titleOf(name),
    identifier: call.identifier,
    text: state.text.value,
    source: call.source?.kind ?? "manual",
    phase: "running",
  });
  start(name, key, call);
}

function start(name: HostName, key: number, call: { identifier: string; args: Arguments; source?: Source | undefined }): void {
  const session = sessions.value[name];
  if (!session) return;
  if (name === "phone") phone.foreground();
  const begun = performance.now();
  const done = (result: Result | { status: "held" }): void =>
    result.status === "held" ? log.update(key, { phase: "held" }) : log.finish(key, result, performance.now() - begun);
  const heldBack = call.source !== undefined && !session.started.value;
  const running = session.run(call.identifier, call.args, call.source);
  log.update(key, { phase: heldBack ? "held" : "running" });
  running.then(done, (error: unknown) => done({ status: "failed", message: messageOf(error) }));
}

/** How many triggers of a host wait for the start of its SDK. */
export const heldTriggers = (name: HostName): number =>
  log.entries.value.filter((e) => e.host === name && e.phase === "held").length;
