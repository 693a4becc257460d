// Which schema holds at a path of the arguments. Inside a group it is that of the action that the pair names.

import type { EditorState } from "@codemirror/state";
import { builtinOf, type Schema } from "../core/catalogue";
import { nodeAt, unquote } from "./place";
import type { Path } from "./pointer";

/** The schema at a path of the arguments of an action, if there is one; `other` is that of an action that is not built in. */
export function schemaAt(state: EditorState, identifier: string, path: Path, other?: Schema): Schema | undefined {
  const builtin = builtinOf(identifier);
  if (builtin && path[0] === builtin.list && path[2] === 1) {
    return schemaAt(state, identifierOf(state, path), path.slice(3));
  }
  let schema: Schema | undefined = builtin?.schema ?? other;
  for (const step of path)
    schema = typeof step === "number" ? (schema?.prefixItems?.[step] ?? schema?.items) : schema?.properties?.[step];
  return schema;
}

/** Whether a path is that of an identifier in a group. */
export const isIdentifier = (identifier: string, path: Path): boolean =>
  path.length === 3 && path[0] === builtinOf(identifier)?.list && path[2] === 0;

/** The identifier of the pair that a path in a group leads into. */
function identifierOf(state: EditorState, path: Path): string {
  return unquote(state, nodeAt(state, [...path.slice(0, 2), 0]) ?? null);
}
