// Completion from the schemas: the names of members, and their values.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import type { Schema } from "../core/catalogue";
import { write } from "../core/json";
import type { Guide } from "./guide";
import { pathOf, properties } from "./place";

/** Makes the source of completions. */
export function completions(guide: Guide) {
  return (context: CompletionContext): CompletionResult | null => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const word = context.matchBefore(/"?[\w$.-]*/);
    const from = node.name === "PropertyName" || node.name === "String" ? node.from : (word?.from ?? context.pos);
    if (!context.explicit && from === context.pos && !opened(context)) return null;
    const options = wantsName(node, context) ? names(node, context, guide) : valuesAt(node, context, guide);
    return options.length > 0 ? { from, options, validFor: /^"?[\w$.-]*$/ } : null;
  };
}

// A bracket, comma or colon just typed invites what comes next.
function opened(context: CompletionContext): boolean {
  return /[{[,:]\s?$/.test(context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos));
}

function wantsName(node: SyntaxNode, context: CompletionContext): boolean {
  if (node.name === "PropertyName") return true;
  if (container(node)?.name !== "Object") return false;
  const before = context.state
    .sliceDoc(0, context.pos)
    .replace(/"?[\w$.-]*$/, "")
    .trimEnd();
  return before.endsWith("{") || before.endsWith(",");
}

function container(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === "Object" || at.name === "Array") return at;
  return undefined;
}

function names(node: SyntaxNode, context: CompletionContext, guide: Guide): Completion[] {
  const object = container(node);
  if (!object) return [];
  const schema = guide.schemaAt(context.state, pathOf(context.state, object));
  const taken = properties(context.state, object);
  const written = node.name === "PropertyName" ? node : undefined;
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => !taken.has(name) || written?.parent === taken.get(name))
    .map(([name, property], i) => ({
      label: JSON.stringify(name),
      type: "property",
      detail: `${property.title ?? ""}${schema?.required?.includes(name) ? "" : ", optional"}`,
      ...(property.description ? { info: property.description } : {}),
      boost: -i,
      apply: (view: EditorView, _: Completion, from: number, to: number) => insertProperty(view, name, property, from, to),
    }));
}

// A string is replaced as a whole, what is behind the cursor included.
function endOf(view: EditorView, from: number, to: number): number {
  const node = syntaxTree(view.state).resolveInner(from, 1);
  return node.name === "PropertyName" || node.name === "String" ? Math.max(node.to, to) : to;
}

// Writes the name and, unless there is a colon already, a place for the value, with the cursor where typing goes on.
function insertProperty(view: EditorView, name: string, property: Schema, from: number, to: number): void {
  const end = endOf(view, from, to);
  const follows = view.state.sliceDoc(end, end + 200);
  const label = JSON.stringify(name);
  const value = /^\s*:/.test(follows) ? "" : `: ${blank(property)}`;
  const cursor = from + label.length + value.length - (/["}\]]$/.test(value) ? 1 : 0);
  view.dispatch({
    changes: { from, to: end, insert: label + value },
    selection: { anchor: cursor },
    userEvent: "input.complete",
  });
}

function blank(property: Schema): string {
  if (property.enum) return '""';
  switch ([property.type].flat()[0]) {
    case "string":
      return '""';
    case "array":
      return "[]";
    case "object":
      return "{}";
    case "boolean":
      return "false";
  }
  return "";
}

function valuesAt(node: SyntaxNode, context: CompletionContext, guide: Guide): Completion[] {
  const path = pathOf(context.state, node);
  const offered = guide.offers?.(path);
  if (offered) return [...offered];
  const found = guide.schemaAt(context.state, path);
  const schema = container(node)?.name === "Array" && found?.items ? found.items : found;
  if (!schema) return [];
  const types = [schema.type ?? []].flat();
  const literal = [
    ...("const" in schema ? [schema.const] : (schema.enum ?? (schema.anyOf ?? []).flatMap((branch) => branch.enum ?? []))),
    ...(types.includes("boolean") ? [true, false] : []),
    ...(types.includes("null") ? [null] : []),
  ];
  const options: Completion[] = literal.map((value, i) =>
    option(write(value), value === schema.default ? "default" : "", "keyword", -i),
  );
  const examples = (schema.examples ?? []).filter((value) => !literal.includes(value));
  return [...options, ...examples.map((value, i) => option(write(value, 0), "example", "text", -20 - i))];
}

/** Something to offer, which replaces the string that it is in. */
export const option = (label: string, detail: string, type: string, boost: number): Completion => ({
  label,
  detail,
  type,
  boost,
  apply: insertValue,
});

function insertValue(view: EditorView, { label }: Completion, from: number, to: number): void {
  view.dispatch({
    changes: { from, to: endOf(view, from, to), insert: label },
    selection: { anchor: from + label.length },
    userEvent: "input.complete",
  });
}
