// Typing over a selection. Left to itself, Chromium keeps the look of the replaced text in a style attribute, which the content
// security policy refuses with a complaint; so the change is made here instead.

import { EditorView } from "@codemirror/view";

/** Replaces a selection by what is typed, by the editor's own means. */
export const overtype = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    if (event.inputType !== "insertText" || event.data === null || event.isComposing || ranges.length > 1 || main.empty)
      return false;
    event.preventDefault();
    const text = event.data;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, text, insert));
    if (!handled) view.dispatch(insert());
    return true;
  },
});
