// The log of results.

import { signal } from "@preact/signals";
import type { Result } from "../core/adapter";
import { announcement } from "../core/announcement";
import type { HostName } from "../hosts/names";

/** How far an entry has come: `held` waits for the start of the SDK. */
export type Phase = "held" | "running" | "done";

/** One perform or trigger. */
export interface Entry {
  key: number;
  host: HostName;
  /** What the host was called. */
  title: string;
  identifier: string;
  /** The arguments as they were typed. */
  text: string;
  /** The kind of the source: manual for a perform. */
  source: string;
  at: Date;
  phase: Phase;
  /** Milliseconds from call to result. */
  took?: number;
  result?: Result;
}

/** The log, newest first. */
export const entries = signal<readonly Entry[]>([]);

let count = 0;

/** Adds an entry, newest first, and returns its key. */
export function add(entry: Omit<Entry, "key" | "at">): number {
  const key = ++count;
  entries.value = [{ ...entry, key, at: new Date() }, ...entries.value].slice(0, 100);
  return key;
}

/** Changes an entry, if it is still there. */
export function update(key: number, change: Partial<Entry>): void {
  entries.value = entries.value.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
}

/** The statuses in the words of the page. */
export const statusWords: Record<Result["status"], string> = {
  performed: "performed",
  not_found: "not found",
  invalid_arguments: "invalid arguments",
  unsupported: "unsupported",
  blocked: "blocked",
  failed: "failed",
  canceled: "canceled",
  partial: "partly performed",
};

/** Ends an entry and tells who cannot see it. */
export function finish(key: number, result: Result, took: number): void {
  const entry = entries.value.find((other) => other.key === key);
  if (!entry || entry.phase === "done") return;
  update(key, { phase: "done", result, took });
  announcement.value = `${entry.title}: ${entry.identifier} ${statusWords[result.status]}. ${result.message ?? ""}`;
}
