// A survey: one pass over a whole file in a worker, which counts its rows, finds those that a filter wants, and adds up what the
// plots show. It keeps counts, not rows, so the size of the file does not matter.

import { signal, type Signal } from "@preact/signals";
import type { ExportFile, Span } from "./file";
import type { Written } from "./lines";
import { roles, type Roles } from "./roles";

/** What rows a filter wants: those with the text in a column, or in any (-1). */
export interface Filter {
  column: number;
  text: string;
}

/** What a survey is asked. */
export interface Task extends Written {
  roles: Roles;
  filter: Filter;
}

/** What a survey found. */
export interface Findings {
  rows: number;
  bytes: number;
  done: boolean;
  /** Rows that the filter wants. */
  matches: number;
  /** Where they are, as part, first byte and last byte after one another, up to a limit. */
  places: Float64Array;
  /** For each hour with events, how many of each type. */
  hours: Record<string, Record<string, number>>;
  /** What is in each column, in the order of the file. */
  profiles: Profile[];
}

/** What is in a column. */
export interface Profile {
  /** Rows that have a value. */
  filled: number;
  /** How many rows have each value; nothing when there are more values than are counted. */
  counts: ReadonlyMap<string, number> | undefined;
  /** The least and the greatest value, of dates and numbers. */
  span: readonly [least: string, most: string] | undefined;
}

/** How many rows of a filter can be shown. */
export const mostPlaces = 100_000;

/** A survey on its way, or done. */
export interface Survey {
  found: Signal<Findings | undefined>;
  trouble: Signal<string>;
  stop(): void;
}

/** Begins a survey. */
export function survey(file: ExportFile, filter: Filter): Survey {
  const worker = new Worker(new URL("./survey.worker.ts", import.meta.url), { type: "module" });
  const found = signal<Findings | undefined>(undefined);
  const trouble = signal("");
  worker.onmessage = ({ data }: MessageEvent<Findings | { trouble: string }>) => {
    if ("trouble" in data) trouble.value = data.trouble;
    else found.value = data;
    if ("trouble" in data || data.done) worker.terminate();
  };
  worker.onerror = (event) => {
    trouble.value = event.message || "the worker could not be loaded";
    worker.terminate();
  };
  const task: Task = { ...file.written, roles: roles(file.columns), filter };
  worker.postMessage(task);
  return { found, trouble, stop: () => worker.terminate() };
}

/** Where the n-th row is that a filter wants. */
export function placeOf(found: Findings, n: number): Span | undefined {
  const at = n * 3;
  if (at + 2 >= found.places.length) return undefined;
  return [found.places[at]!, found.places[at + 1]!, found.places[at + 2]!];
}
