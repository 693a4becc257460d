// The kinds of export as the server describes them, and how their paths and dates are written.

import { signal } from "@preact/signals";
import { send } from "../../server/client";
import { read, type Bundle, type Catalog, type ExportKind } from "./read";

export type { Catalog, Column, ExportKind, Outline } from "./read";

/** What the schemas of the server say of exports; nothing until they were read. */
export const catalog = signal<Catalog>({ kinds: [], lookups: {}, outlines: [] });

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

/** The kind of a name; the first one when there is none. */
export const kindOf = (name: string): ExportKind => kinds().find((one) => one.kind === name) ?? kinds()[0]!;

/** The names in braces of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Puts values in the place of the names in braces of a path. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

/** A date in the way that a request writes it. `definition` is the name of the shared schema definition. */
export const writeMoment = (date: Date, definition: string): string =>
  date.toISOString().slice(0, 19) + (definition === "legacyMoment" ? "" : "Z");
