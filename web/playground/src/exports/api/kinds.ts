// The kinds of export, and how their paths and dates are written.

import { kinds, type ExportKind } from "virtual:exports";

export { kinds, type ExportKind };

/** The kind of a name; the first one when there is none. */
export const kindOf = (name: string): ExportKind => kinds.find((one) => one.kind === name) ?? kinds[0]!;

/** The names in braces of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Puts values in the place of the names in braces of a path. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

/** A date in the way that a request writes it. `definition` is the name of the shared schema definition. */
export const writeMoment = (date: Date, definition: string): string =>
  date.toISOString().slice(0, 19) + (definition === "legacyMoment" ? "" : "Z");
