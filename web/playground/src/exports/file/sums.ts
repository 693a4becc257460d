// From what a survey counted to what the plot and the columns show.

import type { ExportKind } from "../api/kinds";
import type { Findings } from "./survey";

/** Counts over time, one list for each name. */
export interface Series {
  title: string;
  unit: "hour" | "day";
  names: readonly string[];
  /** The beginning of each span, in seconds. */
  times: readonly number[];
  counts: readonly (readonly number[])[];
  label(seconds: number): string;
  /** The same in short, for an axis. */
  mark(seconds: number): string;
}

const day = 24 * 3600;
/** Up to this many hours are shown one by one. */
const mostHours = 72;
/** The types that are shown; what is rarer is added up. */
const mostNames = 12;

/** The events over time, by type; nothing when the file has no dates. */
export function seriesOf(found: Findings, kind: ExportKind): Series | undefined {
  const hours = Object.entries(found.hours).flatMap(([hour, counts]) => {
    const seconds = Date.parse(`${hour}:00:00Z`) / 1000;
    return Number.isNaN(seconds) ? [] : [[seconds, counts] as const];
  });
  if (hours.length === 0) return undefined;
  const first = Math.min(...hours.map(([at]) => at));
  const last = Math.max(...hours.map(([at]) => at));
  const unit = (last - first) / 3600 < mostHours ? "hour" : "day";
  const step = unit === "hour" ? 3600 : day;
  const from = Math.floor(first / step) * step;
  const times = Array.from({ length: Math.floor((last - from) / step) + 1 }, (_, i) => from + i * step);
  const totals = new Map<string, number>();
  for (const [, counts] of hours) for (const [name, n] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + n);
  const ranked = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const order = kind.journey.map(({ event }) => event);
  const shown = ranked.slice(0, mostNames).sort((a, b) => place(order, a) - place(order, b));
  const names = ranked.length > mostNames ? [...shown, "others"] : shown;
  const counts = names.map(() => times.map(() => 0));
  for (const [at, hour] of hours) {
    const column = Math.floor((at - from) / step);
    for (const [name, n] of Object.entries(hour)) {
      const row = shown.includes(name) ? shown.indexOf(name) : names.length - 1;
      counts[row]![column]! += n;
    }
  }
  const changes = /changes$/.test(kind.view);
  const words = kind.view === "installation-changes" ? optin : (name: string): string => name;
  return {
    title: changes ? "Opt-in over time" : "Events over time",
    unit,
    names: names.map(words),
    times,
    counts,
    label: (seconds) => new Date(seconds * 1000).toISOString().slice(0, unit === "hour" ? 16 : 10).replace("T", " "),
    mark: (seconds) => {
      const written = new Date(seconds * 1000).toISOString();
      return seconds % day === 0 ? written.slice(5, 10) : written.slice(11, 16);
    },
  };
}

const place = (order: readonly string[], name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
const optin = (name: string): string => ({ true: "opted in", false: "opted out" })[name] ?? name;

/** The values that most rows have, with their shares. */
export const topOf = (counts: ReadonlyMap<string, number>, filled: number, most: number): { name: string; note: string }[] =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([name, count]) => ({ name, note: percent(count / filled) }));

/** A share of one in hundredths. */
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
