// Which schema a text is meant for, by its beginning: the header of a CSV file, or the members of the first object of JSON.

import type { ExportKind, Outline } from "../api/kinds";

/** How many characters of a text are enough to guess by. */
export const enough = 4096;

/** The name of the schema, or of the kind of export, that a text is meant for; "" when it is not clear. */
export function guess(beginning: string, kinds: readonly ExportKind[], schemas: readonly Outline[]): string {
  const text = beginning.trimStart();
  return /^[[{]/.test(text) ? guessJson(text, schemas) : guessCsv(text, kinds);
}

function guessCsv(text: string, kinds: readonly ExportKind[]): string {
  const line = text.split(/\r?\n/)[0]!;
  const fits = kinds.filter(({ format, separator, columns }) => {
    const header = line.split(separator);
    return (
      format === "CSV" &&
      header.every((name) => columns.some((column) => column.name === name)) &&
      columns.every((column) => !column.required || header.includes(column.name))
    );
  });
  // Files of the same columns differ in the events that they are about.
  return (fits.find(({ journey }) => journey[0] && text.includes(journey[0].event)) ?? fits[0])?.kind ?? "";
}

function guessJson(text: string, schemas: readonly Outline[]): string {
  const found = firstObject(text);
  const list = text.startsWith("[");
  const ranked = schemas
    .filter((schema) => schema.format === "json" && schema.list === list)
    .map((schema) => ({ schema, score: score(schema, found) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score); // stable: the first of equals stays the first
  const best = ranked[0]?.schema;
  return best ? best.kind || best.name : "";
}

/** What is known of an object whose end may be missing. */
interface Sketch {
  /** Its members, with their values where these are strings. */
  members: ReadonlyMap<string, string | undefined>;
  /** Every string in it. */
  words: ReadonlySet<string>;
}

// A member that the schema knows tells more than one that is missing, since the text may have faults; a fixed value decides.
function score({ members, required, fixed, words }: Outline, found: Sketch): number {
  let points = 0;
  for (const [name, value] of found.members) {
    points += members.includes(name) ? 2 : -2;
    const expected = fixed[name];
    if (expected === undefined || value === undefined) continue;
    if (value.toUpperCase() !== expected.toUpperCase()) return 0;
    points += 100;
  }
  points -= required.filter((name) => !found.members.has(name)).length;
  return points + words.filter((word) => found.words.has(word)).length;
}

function firstObject(text: string): Sketch {
  const members = new Map<string, string | undefined>();
  const words = new Set<string>();
  const tokens = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[{}[\]:,]|[^\s"{}[\]:,]+/g)];
  let depth = 0; // of braces and brackets inside of the object
  let inside = false;
  for (let i = 0; i < tokens.length; i++) {
    const [token, string] = tokens[i]!;
    if (string !== undefined) {
      words.add(string);
      if (inside && depth === 0 && tokens[i + 1]?.[0] === ":") members.set(string, tokens[i + 2]?.[1]);
    } else if (!inside) inside = token === "{";
    else if (token === "{" || token === "[") depth++;
    else if ((token === "}" || token === "]") && depth-- === 0) break;
  }
  return { members, words };
}
