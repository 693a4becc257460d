// The code of a handler in the editor: completion from the types of the package, and from the schemas for what it performs.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { javascript, javascriptLanguage, localCompletionSource } from "@codemirror/lang-javascript";
import { syntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { types } from "virtual:types";
import { builtinOf, builtins } from "../core/catalogue";

type Type = keyof typeof types;

/** JavaScript, in which a function is written that is given an invocation. `own` are the identifiers that are registered. */
export const handler = (own: () => readonly string[]): Extension => [
  javascript(),
  javascriptLanguage.data.of({ autocomplete: (context: CompletionContext) => offered(context, own()) }),
  javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
  autocompletion({ activateOnTyping: true, icons: false }),
  linter(({ state }: EditorView) => faults(state), { delay: 250 }),
];

// What the grammar cannot read. The rest is found when the handler runs.
function faults(state: EditorState): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && found.length === 0)
        found.push({ from, to: Math.max(to, Math.min(from + 1, state.doc.length)), severity: "error", message: "this is not JavaScript, or something is missing before it" });
    },
  });
  return found;
}

function offered(context: CompletionContext, own: readonly string[]): CompletionResult | null {
  const { state, pos } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  const call = within(node, "CallExpression");
  if (call && /(^|\.)perform$/.test(nameOf(state, call.firstChild))) {
    if (node.name === "String") return result(node.from, [...own.map((name) => identifier(name, "yours")), ...identifiers]);
    const object = within(node, "ObjectExpression");
    if (object && object.from > call.from && /^(?:[{]|PropertyDefinition)$/.test(node.name)) return words(context, argumentsOf(state, call));
  }
  if (within(node, "ObjectPattern") && within(node, "ParamList")) return words(context, members("Invocation"));
  const member = within(node, "MemberExpression");
  const from = context.matchBefore(/\.\w*$/);
  const type = member && from ? typeOf(state, nameOf(state, member.firstChild)) : undefined;
  return type ? words(context, members(type)) : null;
}

const members = (type: Type): Completion[] =>
  types[type].map(({ name, type: detail, about }, i) => ({ label: name, type: "property", detail, boost: 50 - i, ...(about && { info: about }) }));

const identifier = (name: string, detail: string): Completion => ({ label: JSON.stringify(name), type: "function", detail });
const identifiers = builtins.map(({ identifier: name, neutral, title }) => identifier(neutral ?? name, title));

function argumentsOf(state: EditorState, call: SyntaxNode): Completion[] {
  const first = call.getChild("ArgList")?.getChild("String");
  const { schema } = builtinOf(first ? state.sliceDoc(first.from + 1, first.to - 1) : "") ?? {};
  return Object.entries(schema?.properties ?? {}).map(([label, { title, description }]) => ({
    label,
    type: "property",
    detail: title ?? "",
    ...(description && { info: description }),
  }));
}

/** What a name is: the parameter of the handler, a part of it, or what a perform gave. */
function typeOf(state: EditorState, name: string): Type | undefined {
  if (/(^|\.)source$/.test(name)) return "Source";
  const text = state.doc.toString();
  if (new RegExp(`\\b${name}\\s*=\\s*await\\s+(?:\\w+\\.)?perform\\(`).test(text)) return "Result";
  return new RegExp(`^\\s*(?:async\\s+)?\\(?\\s*${name}\\s*\\)?\\s*=>`).test(text) ? "Invocation" : undefined;
}

function within(from: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = from; at; at = at.parent) if (at.name === name) return at;
  return undefined;
}

const nameOf = (state: EditorState, node: SyntaxNode | null): string =>
  (node ? state.sliceDoc(node.from, node.to) : "").replaceAll(/[^\w.]/g, "");

const result = (from: number, options: readonly Completion[]): CompletionResult | null => (options.length > 0 ? { from, options, validFor: /^["\w.-]*$/ } : null);

const words = (context: CompletionContext, options: readonly Completion[]): CompletionResult | null =>
  result(context.matchBefore(/\w*$/)?.from ?? context.pos, options);
