// The kinds of export as the server describes them, and how their paths and dates are written.

import { signal } from "@preact/signals";
import { send } from "../../server/client";
import type { Schema } from "../../core/catalogue";
import { dateExample, read, type Bundle, type Catalog, type ExportKind, type Role, type Spoken } from "./read";

export { createdIn, parametersOf } from "./read";
export type { Catalog, Column, ExportKind, Role, Spoken } from "./read";

/** What the schemas of the server say of exports; nothing until they were read. */
export const catalog = signal<Catalog>({ interfaces: {}, kinds: [], lookups: {} });

let reading: Promise<void> | undefined;
let text = "";

/** Reads the schemas of the server. It may be another one than before, or one that was started again with an overlay. */
export function readCatalog(): Promise<void> {
  reading ??= fetchCatalog().finally(() => (reading = undefined));
  return reading;
}

async function fetchCatalog(): Promise<void> {
  const answer = await send("/schemas.json", { cache: "no-cache" }); // what is kept is asked for again by its entity tag
  const now = await answer.text();
  if (now === text) return;
  catalog.value = read(JSON.parse(now) as Bundle);
  text = now;
}

/** The kinds of export, in the order of the schemas. */
export const kinds = (): readonly ExportKind[] => catalog.value.kinds;

/** How an interface speaks; nothing until the schemas were read. */
export const spokenBy = (name: string): Spoken | undefined => catalog.value.interfaces[name];

/** What an interface calls its states of a role. */
export const statesOf = (name: string, ...roles: Role[]): string[] =>
  (spokenBy(name)?.states ?? []).filter(({ role }) => roles.includes(role)).map((state) => state.name);

/** The kind of a name; the first one when there is none. */
export const kindOf = (name: string): ExportKind => kinds().find((one) => one.kind === name) ?? kinds()[0]!;

/** The name of a kind for people: its title, and what tells it from others of the same title. */
export const nameOf = ({ title, kind }: ExportKind): string =>
  kinds().filter((other) => other.title === title).length > 1 ? `${title}, ${kind.split(".").at(-1)}` : title;

/** Puts values in the place of the names in braces of a path. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

/** Whether a member of a request is a date or the word now. */
export const isMoment = (schema: Schema): boolean =>
  dateExample(schema) !== undefined && schema.examples!.includes("now");

/** A date in the way that a request writes it: with a zone if the example of its schema has one. */
export const writeMoment = (date: Date, schema: Schema): string =>
  date.toISOString().slice(0, 19) + (dateExample(schema)?.endsWith("Z") ? "Z" : "");
