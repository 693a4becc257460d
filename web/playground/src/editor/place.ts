// From a place in the text to a path in the value, and back, by the syntax tree: the text need not be whole for it.

import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import type { Path } from "./pointer";

const values = new Set(["Object", "Array", "String", "Number", "True", "False", "Null", "⚠"]);
const isValue = (node: SyntaxNode): boolean => values.has(node.name) && node.name !== "⚠";

/** The text of a string in the source, or "" when it is not whole. */
export function unquote(state: EditorState, node: SyntaxNode | null): string {
  try {
    return node ? String(JSON.parse(state.sliceDoc(node.from, node.to))) : "";
  } catch {
    return "";
  }
}

function children(node: SyntaxNode, wanted: (child: SyntaxNode) => boolean): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (wanted(child)) found.push(child);
  return found;
}

/** The properties of an object in the source, by name. */
export function properties(state: EditorState, object: SyntaxNode): Map<string, SyntaxNode> {
  const named = children(object, (child) => child.name === "Property");
  return new Map(named.map((property) => [unquote(state, property.getChild("PropertyName")), property]));
}

/** The items of an array in the source. */
export const items = (array: SyntaxNode): SyntaxNode[] => children(array, isValue);

/** The value of a property, if it is there. */
const valueOf = (property: SyntaxNode): SyntaxNode | undefined => children(property, isValue)[0];

/** How long a long text may be read before its faults are marked with what is known of it, in milliseconds. */
const patience = 200;

/** The value that the text is. */
export function root(state: EditorState): SyntaxNode | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, patience) ?? syntaxTree(state);
  return children(tree.topNode, isValue)[0];
}

/** The node at a path. */
export function nodeAt(state: EditorState, path: Path): SyntaxNode | undefined {
  let node = root(state);
  for (const step of path) {
    if (!node) return undefined;
    if (node.name === "Array") node = items(node)[Number(step)];
    else if (node.name === "Object") {
      const property = properties(state, node).get(String(step));
      node = property && valueOf(property);
    } else return undefined;
  }
  return node;
}

/** The path of the object or array that a node is in, or of the node itself when it is one. */
export function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  let below: SyntaxNode | undefined;
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Property") path.unshift(unquote(state, at.getChild("PropertyName")));
    if (at.name === "Array" && below) {
      const before = items(at).filter((item) => item.to <= below!.from).length;
      path.unshift(before);
    }
    below = at;
  }
  return path;
}

/** The range in the source that a fault is shown at: the value, else the nearest thing around it that is there. */
export function rangeOf(state: EditorState, path: Path): { from: number; to: number } {
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(state, path.slice(0, length));
    if (!node) continue;
    if (length === path.length) return mark(node);
    return { from: node.from, to: Math.min(node.from + 1, node.to) };
  }
  return { from: 0, to: state.doc.length };
}

// A fault of a whole object or array is shown at its opening bracket: underlining all of it says nothing.
function mark(node: SyntaxNode): { from: number; to: number } {
  const large = node.name === "Object" || node.name === "Array";
  return { from: node.from, to: large ? Math.min(node.from + 1, node.to) : node.to };
}
