// The request that the person is about to send: which export, with which payload, under which scenario.

import { computed, signal } from "@preact/signals";
import { kinds, type ExportKind } from "virtual:exports";
import type { Schema } from "../../core/catalogue";
import { parseObject, write } from "../../core/json";
import { clock, weekBefore } from "../../server/clock";

/** The keys that requests carry. Those of the demo, unless the server was started with others. */
export const credentials = signal({ company: "rest_demo", project: "project_demo", token: "token_demo" });

/** The kind of export. */
export const chosen = signal(kinds[1]?.kind ?? kinds[0]!.kind);
/** What stands in the places of the path, by their names; all kinds share them. */
export const places = signal<Readonly<Record<string, string>>>({
  api_key: "live_demo",
  campaign_token: "welcome",
  group_id: "receipts",
});
/** The value of the header X-Mock-Scenario; "" sends none. */
export const scenario = signal("");

const texts = signal<Readonly<Record<string, string>>>({});

/** The kind itself. */
export const kind = computed<ExportKind>(() => kindOf(chosen.value));

/** The kind of a name; the first one when there is none. */
export const kindOf = (name: string): ExportKind => kinds.find((one) => one.kind === name) ?? kinds[0]!;

/** The application or project key that the request is made with. Clocks, limits and links are kept by it. */
export const keyOf = computed(() =>
  (kind.value.interface === "legacy" ? (places.value["api_key"] ?? "") : credentials.value.project).trim(),
);

/** The payload as it is typed. Until it is typed it is an example, a week up to now. */
export const text = computed(() => texts.value[chosen.value] ?? example(kind.value));

/** Changes the payload. */
export function setText(value: string): void {
  if (value !== text.peek()) texts.value = { ...texts.value, [chosen.peek()]: value };
}

/** Puts the example back. */
export function reset(): void {
  const { [chosen.peek()]: _, ...rest } = texts.peek();
  texts.value = rest;
}

/** The payload, when it can be read. */
export const value = computed(() => parseObject(text.value));

/** Changes one member of the payload; undefined takes it out. The others stay as they are, in the order of the schema. */
export function setMember(name: string, member: unknown): void {
  const now = value.peek();
  if (!now.ok) return;
  const next: Record<string, unknown> = { ...now.value, [name]: member };
  const order = Object.keys(kind.peek().schema.properties ?? {});
  const names = [...order.filter((known) => known in next), ...Object.keys(next).filter((known) => !order.includes(known))];
  setText(write(Object.fromEntries(names.filter((known) => next[known] !== undefined).map((known) => [known, next[known]]))));
}

function example(of: ExportKind): string {
  const now = clock.value.state === "known" ? clock.value.now : new Date();
  const members = Object.entries<Schema>(of.schema.properties ?? {})
    .map(([name, schema]) => [name, first(name, schema, now)] as const)
    .filter(([, member]) => member !== undefined);
  return write(Object.fromEntries(members));
}

function first(name: string, schema: Schema, now: Date): unknown {
  if (schema.const !== undefined) return schema.const;
  const moment = schema["x-definition"] ?? "";
  if (/Moment$/.test(moment)) return name === "to" ? "now" : momentOf(new Date(weekBefore(now) + "Z"), moment);
  return schema.type === "array" ? schema.examples?.[0] : undefined;
}

/** A date in the way that a request writes it. */
export const momentOf = (date: Date, definition: string): string =>
  date.toISOString().slice(0, 19) + (definition === "legacyMoment" ? "" : "Z");

/** The names in braces of a path. */
export const placesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** A request, ready to be sent or written in some language. */
export interface Prepared {
  method: string;
  /** From the first slash on. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** The headers that show who asks. */
export function identity(of: Pick<ExportKind, "interface">): (readonly [string, string])[] {
  const { company, project, token } = credentials.value;
  return of.interface === "legacy"
    ? [["X-Authorization", company]]
    : [
        ["Authorization", `Bearer ${token}`],
        ["X-Service-Project", project],
      ];
}

/** Puts values in the places of a path. */
export const fill = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

/** The request as it is set up. */
export const prepared = computed<Prepared>(() => {
  const headers = [...identity(kind.value), ["Content-Type", "application/json"] as const];
  if (scenario.value.trim() !== "") headers.push(["X-Mock-Scenario", scenario.value.trim()]);
  const body = value.value.ok ? write(value.value.value, 0) : text.value;
  return { method: kind.value.method, path: fill(kind.value.path, places.value), headers, body };
});

/** Why it cannot be sent; "" when it can. What the schema refuses may be sent: the server's answer is worth seeing. */
export const obstacle = computed(() => {
  const missing = placesOf(kind.value.path).find((name) => !places.value[name]?.trim());
  return missing ? `${missing} is empty` : "";
});

/** What a link carries. */
export interface Draft {
  k: string;
  p: Readonly<Record<string, string>>;
  s: string;
  t?: string | undefined;
}

/** The draft as it is. */
export const draft = (): Draft => ({ k: chosen.value, p: places.value, s: scenario.value, t: text.value });

/** Puts a draft back. It may come from anywhere: false when it cannot be read. */
export function restore(from: unknown): boolean {
  if (from === null || typeof from !== "object") return false;
  const { k, p, s, t } = from as Record<string, unknown>;
  if (typeof k !== "string" || !kinds.some((one) => one.kind === k)) return false;
  chosen.value = k;
  const pairs = Object.entries(p !== null && typeof p === "object" ? p : {}).filter(([, held]) => typeof held === "string");
  places.value = { ...places.value, ...(Object.fromEntries(pairs) as Record<string, string>) };
  scenario.value = typeof s === "string" ? s : "";
  if (typeof t === "string") texts.value = { ...texts.value, [k]: t };
  return true;
}
