// The code of a handler in the editor: completion from the types of the package, and from the schemas for what it performs.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { javascript, javascriptLanguage, localCompletionSource } from "@codemirror/lang-javascript";
import { ensureSyntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
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
  ensureSyntaxTree(state, state.doc.length, 1000)?.iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && found.length === 0)
        found.push({ from, to: Math.max(to, Math.min(from + 1, state.doc.length)), severity: "error", message: "this is not JavaScript, or something is missing before it" });
    },
  });
  return found;
}

// What stands before the cursor says where one is; the grammar makes little of code that is half written.
const places = {
  identifier: /\bperform\(\s*["'][\w.-]*$/,
  arguments: /\bperform\(\s*["']([\w.-]+)["']\s*,\s*\{(?:[^{}]*,)?\s*\w*$/,
  parameter: /^\s*(?:async\s*)?(?:function\s*\w*\s*)?\(\s*\{(?:[^{}]*,)?\s*\w*$/,
  member: /([\w.]+)\.\w*$/,
};

function offered({ state, pos }: CompletionContext, own: readonly string[]): CompletionResult | null {
  const before = state.sliceDoc(0, pos);
  const options = (): readonly Completion[] => {
    if (places.identifier.test(before)) return [...own.map((name) => identifier(name, "yours")), ...identifiers];
    const called = places.arguments.exec(before)?.[1];
    if (called !== undefined) return argumentsOf(called);
    if (places.parameter.test(before)) return members("Invocation");
    const type = typeOf(state.doc.toString(), places.member.exec(before)?.[1] ?? "");
    return type ? members(type) : [];
  };
  const found = options();
  const from = pos - /["'][\w.-]*$|\w*$/.exec(before)![0].length;
  return found.length > 0 ? { from, options: found, validFor: /^["'\w.-]*$/ } : null;
}

const members = (type: Type): Completion[] =>
  types[type].map(({ name, type: detail, about }, i) => ({ label: name, type: "property", detail, boost: 50 - i, ...(about && { info: about }) }));

const identifier = (name: string, detail: string): Completion => ({ label: JSON.stringify(name), type: "function", detail });
const identifiers = builtins.map(({ identifier: name, neutral, title }) => identifier(neutral ?? name, title));

const argumentsOf = (called: string): Completion[] =>
  Object.entries(builtinOf(called)?.schema.properties ?? {}).map(([label, { title, description }]) => ({
    label,
    type: "property",
    detail: title ?? "",
    ...(description && { info: description }),
  }));

/** What a name is: the parameter of the handler, a part of it, or what a perform gave. */
function typeOf(text: string, name: string): Type | undefined {
  if (/(^|\.)source$/.test(name)) return "Source";
  if (!/^\w+$/.test(name)) return undefined;
  if (new RegExp(`\\b${name}\\s*=\\s*await\\s+(?:\\w+\\.)?perform\\(`).test(text)) return "Result";
  return new RegExp(`^\\s*(?:async\\s+)?\\(?\\s*${name}\\s*\\)?\\s*=>`).test(text) ? "Invocation" : undefined;
}
