// The guide to the arguments of an action.

import type { Completion } from "@codemirror/autocomplete";
import type { Problem } from "../core/adapter";
import { builtinOf, builtins, type Schema } from "../core/catalogue";
import { write } from "../core/json";
import { option } from "./complete";
import type { Found, Guide } from "./guide";
import { stepsOf } from "./pointer";
import { isIdentifier, schemaAt } from "./schema";

/** What the guide needs to know of the page. */
export interface Surroundings {
  identifier(): string;
  /** The names of the actions that the user registered. */
  own(): readonly string[];
  /** The schema of the chosen action, where an app has given one. */
  schema(): Schema | undefined;
  /** What the actions find wrong with arguments. */
  problems(value: unknown): readonly Pick<Problem, "pointer" | "message">[];
}

/** Makes the guide to the arguments of the chosen action. */
export const actionGuide = ({ identifier, own, problems, schema }: Surroundings): Guide => ({
  schemaAt: (state, path) => schemaAt(state, identifier(), path, schema()),
  faults: (value) => [...found(identifier(), problems(value)), ...ignored(identifier(), value), ...misfits(schema(), value)],
  offers: (path) => (isIdentifier(identifier(), path) ? identifiers(own()) : undefined),
});

// A fault of one action of a group does not keep the others from running.
const found = (identifier: string, problems: readonly Pick<Problem, "pointer" | "message">[]): Found[] =>
  problems.map(({ pointer, message }) => {
    const path = stepsOf(pointer);
    return { path, message, severity: path.length > 2 && path[0] === builtinOf(identifier)?.list ? "warning" : "error" };
  });

// Unknown arguments are ignored, which is rarely meant.
function ignored(identifier: string, value: unknown): Found[] {
  const known = builtinOf(identifier)?.schema.properties;
  if (!known || value === null || typeof value !== "object" || Array.isArray(value)) return [];
  const unknown = Object.keys(value).filter((name) => !(name in known));
  return unknown.map((name) => ({ path: [name], message: `${identifier} has no argument ${JSON.stringify(name)}: it is ignored`, severity: "info" }));
}

// What the schema of an app says against arguments. The app may take them all the same.
function misfits(schema: Schema | undefined, value: unknown, path: readonly (string | number)[] = []): Found[] {
  const said = (message: string): Found[] => [{ path: [...path], message, severity: "warning" }];
  const types = [schema?.type ?? []].flat();
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "bigint" ? "number" : typeof value;
  const fits = types.length === 0 || types.includes(type) || (types.includes("integer") && (typeof value === "bigint" || Number.isInteger(value)));
  if (!fits) return said(`the schema of the app asks for ${types.join(" or ")}, not ${type}`);
  if (schema?.enum && !schema.enum.includes(value)) return said(`the schema of the app allows ${schema.enum.map((one) => write(one, 0)).join(", ")}`);
  if (Array.isArray(value)) return value.flatMap((item, i) => misfits(schema?.items, item, [...path, i]));
  if (value === null || typeof value !== "object") return [];
  const missing = (schema?.required ?? []).filter((name) => !(name in value));
  const inside = Object.entries(value).flatMap(([name, member]) => misfits(schema?.properties?.[name], member, [...path, name]));
  return [...missing.flatMap((name) => said(`the schema of the app asks for ${JSON.stringify(name)}`)), ...inside];
}

function identifiers(own: readonly string[]): Completion[] {
  const known = builtins
    .filter((b) => !b.list) // a list of actions does not hold another one
    .map((b, i) => ({ ...option(JSON.stringify(b.identifier), b.title, "function", -i), info: b.description }));
  return [...own.map((name) => option(JSON.stringify(name), "yours", "function", 1)), ...known];
}
