// What the editor needs to know of the text in it: which schema applies where, what is wrong, what to offer.

import type { Completion } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { Schema } from "../core/catalogue";
import type { Path } from "./pointer";

/** A fault, and where. A warning does not keep the action from running. */
export interface Found {
  path: Path;
  message: string;
  severity: "error" | "warning" | "info";
}

/** Knows what the text should be. */
export interface Guide {
  /** The schema at a path, if there is one. */
  schemaAt(state: EditorState, path: Path): Schema | undefined;
  /** Everything that is wrong with a value. */
  faults(value: unknown): readonly Found[] | Promise<readonly Found[]>;
  /** What to offer at a path in place of what the schema says; nothing leaves it to the schema. */
  offers?(path: Path): readonly Completion[] | undefined;
}
