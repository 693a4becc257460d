// The guide to the arguments of an action.

import type { Completion } from "@codemirror/autocomplete";
import type { Problem } from "../core/adapter";
import { builtinOf, builtins } from "../core/catalogue";
import { option } from "./complete";
import type { Found, Guide } from "./guide";
import { stepsOf } from "./pointer";
import { isIdentifier, schemaAt } from "./schema";

/** What the guide needs to know of the page. */
export interface Surroundings {
  identifier(): string;
  /** The names of the actions that the user registered. */
  own(): readonly string[];
  /** What the actions find wrong with arguments. */
  problems(value: unknown): readonly Pick<Problem, "pointer" | "message">[];
}

/** Makes the guide to the arguments of the chosen action. */
export const actionGuide = ({ identifier, own, problems }: Surroundings): Guide => ({
  schemaAt: (state, path) => schemaAt(state, identifier(), path),
  faults: (value) => [...found(identifier(), problems(value)), ...ignored(identifier(), value)],
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

function identifiers(own: readonly string[]): Completion[] {
  const known = builtins
    .filter((b) => !b.list) // a list of actions does not hold another one
    .map((b, i) => ({ ...option(JSON.stringify(b.identifier), b.title, "function", -i), info: b.description }));
  return [...own.map((name) => option(JSON.stringify(name), "yours", "function", 1)), ...known];
}
