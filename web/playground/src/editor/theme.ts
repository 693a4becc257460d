// The look of the editor, in the colours of the page. The rules go into a constructed style sheet of the editor's shadow root,
// which a content security policy without inline styles allows.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-name)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-literal)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--code-soft)" },
]);

const look = EditorView.theme(
  {
    "&": { color: "var(--code-ink)", backgroundColor: "var(--code)", fontSize: "var(--step--1)", maxHeight: "26rem", borderRadius: "inherit" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65", minHeight: "8.25rem" },
    ".cm-content": { padding: ".7rem 0", caretColor: "var(--code-caret)" },
    ".cm-line": { padding: "0 .9rem 0 .5rem" },
    ".cm-cursor": { borderLeftColor: "var(--code-caret)" },
    ".cm-gutters": { backgroundColor: "transparent", color: "var(--code-soft)", border: "0" },
    ".cm-lineNumbers .cm-gutterElement": { padding: "0 .3rem 0 .9rem", minWidth: "2rem" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--code-selection)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-selection)", color: "inherit" },
    "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: "var(--code-bad)" },
    ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", boxShadow: "var(--shadow)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxWidth: "min(32rem, 90vw)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: ".25rem .6rem" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
    ".cm-completionDetail": { fontFamily: "var(--sans)", fontStyle: "normal", marginLeft: ".8rem" },
    ".cm-completionInfo": { padding: ".5rem .7rem", maxWidth: "18rem", fontFamily: "var(--sans)" },
    // Where there is no room beside the list, an explanation would cover it.
    "@media (max-width: 44rem)": { ".cm-completionInfo": { display: "none" } },
    ".cm-tooltip-lint": { fontFamily: "var(--sans)", fontSize: "var(--step--1)" },
    ".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline wavy var(--code-bad)", textUnderlineOffset: "3px" },
    ".cm-lintRange-warning": { textDecorationColor: "var(--code-warn)" },
    ".cm-lintRange-info": { textDecorationColor: "var(--code-info)" },
  },
  { dark: true },
);

/** Colours, sizes and syntax highlighting. */
export const theme = [look, syntaxHighlighting(highlight)];
