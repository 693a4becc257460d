// The payload editor. This module is large, so it is loaded after the page stands; until then, and if it never comes, a plain
// text field takes its place.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { forceLinting, linter, lintKeymap, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
import { parse } from "../core/json";
import { completions } from "./complete";
import type { Guide } from "./guide";
import { overtype } from "./overtype";
import { rangeOf } from "./place";
import { theme } from "./theme";

export { actionGuide } from "./actions";

/** What the editor needs of the page. */
export interface Options {
  guide: Guide;
  text: string;
  label: string;
  describedBy: string;
  onChange(text: string): void;
}

/** An editor on the page. */
export interface Editor {
  /** Replaces the text, unless it is the same. */
  setText(text: string): void;
  /** Looks for faults again, since another action was chosen. */
  recheck(): void;
  focus(): void;
  destroy(): void;
}

// Keys that the page has a use for, and Tab, which moves the focus on as everywhere else.
const keys = defaultKeymap.filter(
  (binding) => binding.key !== "Mod-Enter" && binding.key !== "Mod-/" && binding.key !== "Ctrl-m",
);

/** Puts an editor into an element. It lives in a shadow root, where its styles are constructed and not inline. */
export function mount(element: HTMLElement, options: Options): Editor {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  const view = new EditorView({
    root: shadow,
    parent: shadow as unknown as Element,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentUnit.of("  "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        EditorView.lineWrapping,
        json(),
        overtype,
        autocompletion({ override: [completions(options.guide)], activateOnTyping: true, icons: false }),
        linter((at) => diagnose(at, options.guide), { delay: 250 }),
        tooltips({ position: "absolute" }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...keys]),
        EditorView.contentAttributes.of({ "aria-label": options.label, "aria-multiline": "true", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
        theme,
      ],
    }),
  });
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    recheck: () => forceLinting(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

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
