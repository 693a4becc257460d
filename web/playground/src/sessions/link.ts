// The link that carries the state: everything the user set up, in the fragment, so that no server ever sees it.

import { effect, untracked } from "@preact/signals";
import { decodeJson, encodeJson } from "../core/base64url";
import * as conditions from "../hosts/conditions";
import * as state from "./state";

/** What a link carries. Members are short, since people paste links. */
interface Carried {
  v: 1;
  i: string;
  t: string;
  s?: [kind: state.SourceKind, push?: string];
  h?: "browser" | "app" | "both";
  c?: [name: string, source: string][];
  p?: Partial<conditions.PhoneConditions>;
}

/** Only what differs from the start has to travel. */
function changed<T extends object>(now: T, start: T): Partial<T> | undefined {
  const entries = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name as keyof T]));
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}

function carried(): Carried {
  const all: Carried = { v: 1, i: state.identifier.value, t: state.text.value };
  const kind = state.sourceKind.value;
  if (kind === "push") all.s = [kind, state.pushPayload.value];
  if (state.target.value !== "phone") all.h = state.target.value;
  if (state.custom.value.length > 0) all.c = state.custom.value.map(({ name, source }) => [name, source]);
  const phone = changed(conditions.phone.value, conditions.initialPhone);
  if (phone) all.p = phone;
  return all;
}

/** The fragment for the state as it is, without the number sign. */
export const fragment = (): string => `a=${encodeJson(carried())}`;

/** The whole link for the state as it is. */
export const link = (): string => `${location.origin}${location.pathname}#${fragment()}`;

const isText = (value: unknown): value is string => typeof value === "string";
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): value is T => allowed.includes(value as T);

/** Puts what a link carries back. A link may come from anywhere, so each part is looked at; false when it cannot be read at all. */
export function restore(hash: string): boolean {
  const encoded = /^#?a=([\w-]*)/.exec(hash)?.[1]; // programs for chats add a bracket, a point or a blank
  if (encoded === undefined) return true;
  let all: Partial<Carried>;
  try {
    all = decodeJson(encoded) as Partial<Carried>;
  } catch {
    return false;
  }
  if (all === null || typeof all !== "object" || all.v !== 1 || !isText(all.i) || !isText(all.t)) return false;
  state.identifier.value = all.i;
  state.text.value = all.t;
  restoreSource(all.s);
  state.target.value = oneOf(all.h, ["browser", "app", "both"] as const) ? all.h : "phone";
  state.custom.value = restoreCustom(all.c);
  conditions.phone.value = restorePhone(all.p);
  return true;
}

function restoreSource(source: unknown): void {
  const [kind, push] = (Array.isArray(source) ? source : []) as unknown[];
  state.sourceKind.value = oneOf(kind, ["manual", "push"] as const) ? kind : "manual";
  if (isText(push) && push !== "") state.pushPayload.value = push;
}

// The code of a handler may be anything: it runs when it is performed, where it can reach nothing.
function restoreCustom(list: unknown): state.CustomAction[] {
  const pairs: unknown[] = Array.isArray(list) ? list : [];
  return pairs.flatMap((pair) => {
    const [name, source] = (Array.isArray(pair) ? pair : []) as unknown[];
    return isText(name) && isText(source) ? [{ name, source }] : [];
  });
}

const permissions = Object.keys(conditions.permissionWords) as (keyof typeof conditions.permissionWords)[];

function restorePhone(value: unknown): conditions.PhoneConditions {
  const p = (value ?? {}) as Partial<Record<keyof conditions.PhoneConditions, unknown>>;
  const start = conditions.initialPhone;
  const one = <T extends string>(given: unknown, allowed: readonly T[], otherwise: T): T => (oneOf(given, allowed) ? given : otherwise);
  const platform = one(p.platform, ["ios", "android"], start.platform);
  const behaves = conditions.capabilityNames.map((name) => [name, (p.capabilities as Record<string, unknown> | undefined)?.[name]] as const);
  return {
    platform,
    version: isText(p.version) ? p.version.slice(0, 20) : conditions.newestVersion[platform],
    notifications: one(p.notifications, permissions, start.notifications),
    tracking: one(p.tracking, permissions, start.tracking),
    interceptor: one(p.interceptor, ["none", "handles", "ignores"], start.interceptor),
    capabilities: Object.fromEntries(behaves.filter(([, one]) => oneOf(one, ["missing", "blocked", "failed"]))),
  };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Writes the state into the address now. */
export function writeAddress(): void {
  clearTimeout(timer);
  timer = undefined;
  history.replaceState(history.state, "", `#${fragment()}`);
}

/** Keeps the address in step with the state, so that reloading the page brings everything back. `mayWrite` says when. */
export function keepAddress(mayWrite: () => boolean): void {
  effect(() => {
    void fragment();
    clearTimeout(timer);
    if (mayWrite()) timer = setTimeout(() => untracked(writeAddress), 400); // browsers refuse to have the address changed too often
  });
}
