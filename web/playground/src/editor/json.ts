// JSON in the editor, with a guide to what it should be.

import { autocompletion } from "@codemirror/autocomplete";
import { json as grammar } from "@codemirror/lang-json";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { parse } from "../core/json";
import { completions } from "./complete";
import type { Guide } from "./guide";
import { overtype } from "./overtype";
import { rangeOf } from "./place";

export { actionGuide } from "./actions";

/** JSON that a guide completes and checks. */
export const json = (guide: Guide): Extension => [
  grammar(),
  overtype,
  autocompletion({ override: [completions(guide)], activateOnTyping: true, icons: false }),
  linter((at) => diagnose(at, guide), { delay: 250 }),
];

async function diagnose({ state }: EditorView, guide: Guide): Promise<Diagnostic[]> {
  const text = state.doc.toString();
  const parsed = parse(text);
  if (!parsed.ok) {
    const from = Math.min(parsed.offset, text.length);
    const to = /[\r\n]/.test(text[from] ?? "\n") ? from : from + 1; // a line break cannot be underlined
    return [{ from, to, severity: "error", message: parsed.message }];
  }
  return (await guide.faults(parsed.value)).map(({ path, message, severity }) => ({
    ...rangeOf(state, path),
    severity,
    message,
  }));
}
