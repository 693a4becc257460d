// The editor. This module is large, so it is loaded after the page stands; until then, and if it never comes, a plain text field
// takes its place (field.tsx). What is written in it is a language: json.ts or handler.ts.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { forceLinting, lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
import { theme } from "./theme";

/** What the editor needs of the page. */
export interface Options {
  text: string;
  label: string;
  /** What the text is: its grammar, what completes it, what finds its faults. */
  language: Extension;
  onChange(text: string): void;
}

/** An editor on the page. */
export interface Editor {
  /** Replaces the text, unless it is the same. */
  setText(text: string): void;
  /** Looks for faults again, since what they depend on has changed. */
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
        options.language,
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
