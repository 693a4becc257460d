// The worker of a survey: it streams every part of a file, row by row.

import { cellsOf, eachLine, opened, type Take } from "./lines";
import { Profiler } from "./profiler";
import type { Findings, Task } from "./survey";

const mostPlaces = 100_000;
const mostTypes = 60;

const counts: Findings = { rows: 0, bytes: 0, done: false, matches: 0, places: new Float64Array(), hours: {}, profiles: [] };
const places: number[] = [];
let profilers: Profiler[] = [];
let told = 0;

function tell(done: boolean): void {
  told = performance.now();
  // The places are large, and only of use at the end or while there are few.
  const profiles = done ? profilers.map((one) => one.profile()) : [];
  postMessage({ ...counts, done, profiles, places: done || places.length < 3000 ? Float64Array.from(places) : new Float64Array() });
}

onmessage = async ({ data: task }: MessageEvent<Task>) => {
  profilers = task.columns.map(({ type }) => new Profiler(type));
  const arrived = (bytes: number): void => {
    counts.bytes += bytes;
    if (performance.now() - told > 150) tell(false);
  };
  try {
    for (const [part, source] of task.sources.entries()) await eachLine(await opened(source), { csv: task.format === "CSV", row: taker(task, part), arrived });
    tell(true);
  } catch (error) {
    postMessage({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

function taker(task: Task, part: number): Take {
  const wanted = task.filter.text.toLowerCase();
  const cellsIn = cellsOf(task);
  return (line, from, to) => {
    const cells = cellsIn(line);
    if (!cells) return;
    counts.rows++;
    count(task, cells);
    if (wanted === "" || !matches(task.filter.column, wanted, cells)) return;
    counts.matches++;
    if (places.length < mostPlaces * 3) places.push(part, from, to);
  };
}

const matches = (column: number, wanted: string, cells: readonly string[]): boolean =>
  column >= 0 ? (cells[column] ?? "").toLowerCase().includes(wanted) : cells.some((cell) => cell.toLowerCase().includes(wanted));

function count({ roles }: Task, cells: readonly string[]): void {
  for (let column = 0; column < profilers.length; column++) profilers[column]!.take(cells[column]);
  if (roles.date < 0) return;
  const hour = (cells[roles.date] ?? "").slice(0, 13);
  const at = (counts.hours[hour] ??= {});
  const type = roles.type < 0 ? "events" : (cells[roles.type] ?? "");
  for (const one of roles.lists ? type.split(", ") : [type]) add(at, one || "(none)");
}

function add(to: Record<string, number>, value: string): void {
  if (to[value] === undefined && Object.keys(to).length >= mostTypes) value = "(others)";
  to[value] = (to[value] ?? 0) + 1;
}
