// The guide to the arguments of an action.

import type { Completion } from "@codemirror/autocomplete";
import { builtins } from "../core/catalogue";
import { option } from "./complete";
import { faultsOf } from "./faults";
import type { Guide } from "./guide";
import { isIdentifier, schemaAt } from "./schema";

/** What the guide needs to know of the page. */
export interface Surroundings {
  identifier(): string;
  /** The names of the actions that the user registered. */
  own(): readonly string[];
}

/** Makes the guide to the arguments of whichever action is chosen. */
export const actionGuide = ({ identifier, own }: Surroundings): Guide => ({
  schemaAt: (state, path) => schemaAt(state, identifier(), path),
  faults: (value) => faultsOf(identifier(), value),
  offers: (path) => (isIdentifier(identifier(), path) ? identifiers(own()) : undefined),
});

function identifiers(own: readonly string[]): Completion[] {
  const known = builtins
    .filter((b) => !b.list) // a list of actions does not hold another one
    .map((b, i) => ({ ...option(JSON.stringify(b.identifier), b.title, "function", -i), info: b.description }));
  return [...own.map((name) => option(JSON.stringify(name), "yours", "function", 1)), ...known];
}
