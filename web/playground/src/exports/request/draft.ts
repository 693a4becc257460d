// The request that is set up: which export, with which payload, under which scenario.

import { computed, signal } from "@preact/signals";
import type { Schema } from "../../core/catalogue";
import { parseObject, write } from "../../core/json";
import type { Prepared } from "../../core/request";
import { clock, weekBefore } from "../../server/clock";
import { authHeaders } from "../api/credentials";
import { demo } from "../api/demo";
import { fillPath, isMoment, kindOf, kinds, parametersOf, spokenBy, writeMoment, type ExportKind } from "../api/kinds";
import type { Run } from "../runs/runs";

/** The kind of export that was chosen; "" until one was. */
export const chosen = signal("");
/** The kind of export: the chosen one, if the server has it. */
export const chosenKind = computed(() => (kinds().find((one) => one.kind === chosen.value) ?? kinds()[1] ?? kinds()[0])?.kind ?? "");
/** The path parameters, by the names that keptAs gives them; all kinds share them. */
export const parameters = signal<Readonly<Record<string, string>>>({
  api_key: demo.application,
  campaign_token: "welcome",
  group_id: "receipts",
});
/** The value of the header X-Mock-Scenario; "" sends none. */
export const scenario = signal("");

const texts = signal<Readonly<Record<string, string>>>({});

/** The kind itself. */
export const kind = computed<ExportKind>(() => kindOf(chosenKind.value));

/** Under which name a path parameter is kept: that of the application has one name, whatever an interface calls it. */
export const keptAs = (name: string): string => (name === spokenBy(kind.value.interface)?.keyVariable ? "api_key" : name);

/** The application key that requests are made with; that of the demo where none is typed. */
export const applicationKey = (): string => parameters.value["api_key"]?.trim() || demo.application;

/** The payload as it is typed. Until it is typed it is an example, a week up to now. */
export const text = computed(() => texts.value[chosenKind.value] ?? example(kind.value));

/** Changes the payload. */
export function setText(value: string): void {
  if (value !== text.peek()) texts.value = { ...texts.value, [chosenKind.peek()]: value };
}

/** Puts the example back. */
export function reset(): void {
  const { [chosenKind.peek()]: _, ...rest } = texts.peek();
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

// The last full hour: an example changes when the clock is moved, not at each tick.
const hourNow = computed(() => Math.floor((clock.value.state === "known" ? clock.value.now.getTime() : Date.now()) / 3_600_000) * 3_600_000);

function example(of: ExportKind): string {
  const now = new Date(hourNow.value);
  const members = Object.entries<Schema>(of.schema.properties ?? {})
    .map(([name, schema]) => [name, first(name, schema, now)] as const)
    .filter(([, member]) => member !== undefined);
  return write(Object.fromEntries(members));
}

function first(name: string, schema: Schema, now: Date): unknown {
  if (schema.const !== undefined) return schema.const;
  if (isMoment(schema)) return name === "to" ? "now" : writeMoment(new Date(weekBefore(now) + "Z"), schema);
  if (schema.type === "array") return schema.examples?.[0];
  const bound = ["from", "to", "through", "span"].indexOf(schema["x-role"] ?? "");
  return bound < 0 ? undefined : written(new Date(now.getTime() - ([24, 0, 1, 24][bound]!) * 3_600_000), String(schema.examples?.[0] ?? ""));
}

/** A date in the form of an example such as 2026-03-14, 20260314T05 or 2026-03-14T05:00Z. */
export function written(date: Date, example: string): string {
  const length = { 8: 10, 10: 13, 12: 16 }[example.replace(/\D/g, "").length] ?? 19;
  const text = date.toISOString().slice(0, length) + (example.endsWith("Z") ? "Z" : "");
  return example.includes("-") ? text : text.replaceAll("-", "");
}

/** The request as it is set up. */
export const prepared = computed<Prepared>(() => {
  const { method, path, schema } = kind.value;
  const inQuery = method === "GET";
  const headers = [...authHeaders(kind.value), ...(inQuery ? [] : [["Content-Type", "application/json"] as const])];
  if (scenario.value.trim() !== "") headers.push(["X-Mock-Scenario", scenario.value.trim()]);
  const body = value.value.ok ? write(value.value.value, 0) : text.value;
  if (!inQuery) return { method, path: fillPath(path, places()), headers, body };
  const members = Object.entries(value.value.ok ? value.value.value : {}).map(([name, member]) => [name, [member].flat().map(String)] as const);
  const query = new URLSearchParams(members.flatMap(([name, texts]) => (parametersOf(path).includes(name) ? [] : texts.map((one) => [name, one]))));
  const filled = fillPath(path, { ...places(), ...Object.fromEntries(members.filter(([name]) => name in (schema.properties ?? {})).map(([name, [one]]) => [name, one ?? ""])) });
  return { method, path: query.size > 0 ? `${filled}?${query}` : filled, headers, body: "" };
});

/** The parameters of the path that are typed apart: those that are no members of the request. */
export const apart = (of: ExportKind): string[] => parametersOf(of.path).filter((name) => !(name in (of.schema.properties ?? {})));

/** Why it cannot be sent; "" when it can. What the schema refuses may be sent: the server's answer is worth seeing. */
export const obstacle = computed(() => {
  const missing = apart(kind.value).find((name) => !parameters.value[keptAs(name)]?.trim());
  return missing ? `${missing} is empty` : "";
});

/** What a link carries. */
export interface Draft {
  k: string;
  p: Readonly<Record<string, string>>;
  s: string;
  t?: string | undefined;
}

/** The path parameters by the names that the path has. */
const places = (): Record<string, string> =>
  Object.fromEntries(parametersOf(kind.value.path).map((name) => [name, parameters.value[keptAs(name)] ?? ""]));

/** The draft as it is. */
export const draft = (): Draft => ({ k: chosenKind.value, p: parameters.value, s: scenario.value, t: text.value });

/** The draft that makes an export again. */
export function draftOf(run: Run): Draft {
  const { keyVariable } = spokenBy(run.interface) ?? {};
  const values = parametersOf(kindOf(run.kind).path).map((name) =>
    name === keyVariable ? (["api_key", run.owner] as const) : ([name, run.file.target ?? ""] as const),
  );
  return { k: run.kind, p: Object.fromEntries(values.filter(([, value]) => value !== "")), s: "", t: JSON.stringify(run.request, null, 2) };
}

/** The draft of a creation that somebody sent; nothing for other requests. */
export function draftOfSent({ method, path, body = "", kind, applied }: Sent): Draft | undefined {
  const of = kinds().find((one) => one.kind === kind && one.method === method);
  const names = of ? parametersOf(of.path) : [];
  const places = of && new RegExp(`^${of.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(path);
  if (!of || !places) return undefined;
  const { keyVariable } = spokenBy(of.interface) ?? {};
  const values = names.map((name, i) => [name === keyVariable ? "api_key" : name, decodeURIComponent(places[i + 1]!)] as const);
  return { k: of.kind, p: Object.fromEntries(values), s: applied?.find(({ source }) => source === "header")?.scenario ?? "", t: body };
}

/** A request as the journal has it, as far as a draft needs it. */
interface Sent {
  method: string;
  path: string;
  body?: string;
  kind?: string;
  applied?: { source: string; scenario: string }[];
}

/** Puts a draft back. It may come from anywhere: false when it cannot be read. */
export function restore(from: unknown): boolean {
  if (from === null || typeof from !== "object") return false;
  const { k, p, s, t } = from as Record<string, unknown>;
  if (typeof k !== "string" || !kinds().some((one) => one.kind === k)) return false;
  chosen.value = k;
  const pairs = Object.entries(p !== null && typeof p === "object" ? p : {}).filter(([, text]) => typeof text === "string");
  parameters.value = { ...parameters.value, ...(Object.fromEntries(pairs) as Record<string, string>) };
  scenario.value = typeof s === "string" ? s : "";
  if (typeof t === "string") texts.value = { ...texts.value, [k]: t };
  return true;
}
