// A survey: one pass over a whole file in a worker, which counts its events and finds the rows that a filter wants. It keeps counts and
// the first of these rows, so the size of the file does not matter.

import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ExportFile, Row } from "./file";
import type { Written } from "./lines";

/** What a survey is asked. */
export interface Task extends Written {
  /** The text that the wanted rows have in some column; "" for none. */
  filter: string;
  /** The columns of the date of an event and of its type; -1 where there is none. */
  date: number;
  type: number;
}

/** What a survey found. */
export interface Findings {
  rows: number;
  /** Characters that were read. */
  read: number;
  done: boolean;
  /** How many rows the filter wants, and the first of them. */
  matches: number;
  found: Row[];
  /** For each hour with events, how many of each type. */
  hours: Record<string, Record<string, number>>;
}

/** How many rows of a filter are shown. */
export const mostFound = 1000;

/** A survey on its way, or done. */
export interface Survey {
  findings: Signal<Findings | undefined>;
  trouble: Signal<string>;
  stop(): void;
}

/** Begins a survey. */
function survey(file: ExportFile, filter: string): Survey {
  const worker = new Worker(new URL("./survey.worker.ts", import.meta.url), { type: "module" });
  const findings = signal<Findings | undefined>(undefined);
  const trouble = signal("");
  worker.onmessage = ({ data }: MessageEvent<Findings | { trouble: string }>) => {
    if ("trouble" in data) trouble.value = data.trouble;
    else findings.value = data;
  };
  worker.onerror = (event) => void (trouble.value = event.message || "the worker could not be loaded");
  const column = (...sources: string[]): number => file.columns.findIndex(({ source }) => sources.includes(source));
  const type = column("event.type", "event.reasons", "installation.is_optin");
  worker.postMessage({ ...file.written, filter, date: column("event.date"), type } satisfies Task);
  return { findings, trouble, stop: () => worker.terminate() };
}

/** The survey of a file for a filter, as long as the view is there; none without a filter. */
export function useSurvey(file: ExportFile, filter: string | undefined): Survey | undefined {
  const now = useMemo(() => (filter === undefined ? undefined : survey(file, filter)), [file, filter]);
  useEffect(() => () => now?.stop(), [now]);
  return now;
}
