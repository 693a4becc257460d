// The worker of a survey: it streams every part of a file, line by line. Every row of these files is a line of its own, but for CSV
// cells with line ends in quotes, which are put together again.

import { cellOf, splitLine } from "./parse";
import { Profiler } from "./profiler";
import type { Findings, Task } from "./survey";

const mostPlaces = 100_000;
const mostTypes = 60;
const newline = 10;

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
  profilers = task.types.map((type) => new Profiler(type));
  try {
    for (const [part, source] of task.sources.entries()) await read(task, part, await opened(source));
    tell(true);
  } catch (error) {
    postMessage({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

async function opened(source: string | Blob): Promise<ReadableStream<Uint8Array>> {
  if (typeof source !== "string") return source.stream();
  const answer = await fetch(source, { cache: "no-store" });
  if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status} to the file`);
  return answer.body;
}

async function read(task: Task, part: number, body: ReadableStream<Uint8Array>): Promise<void> {
  const take = taker(task, part);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = new Uint8Array();
  let offset = 0; // of the first byte of `rest` in the part
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    counts.bytes += value.length;
    const last = value.lastIndexOf(newline);
    if (last < 0) {
      rest = joined(rest, value);
      continue;
    }
    const whole = joined(rest, value.subarray(0, last + 1));
    lines(whole, decoder, offset, take);
    offset += whole.length;
    rest = value.slice(last + 1);
    if (performance.now() - told > 150) tell(false);
  }
  if (rest.length > 0) take(decoder.decode(rest), offset, offset + rest.length);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

// Text of one byte a character is cut where it is; otherwise the bytes say where lines are.
function lines(bytes: Uint8Array, decoder: TextDecoder, offset: number, take: Take): void {
  const text = decoder.decode(bytes);
  const plain = text.length === bytes.length;
  let from = 0;
  let begin = 0;
  for (;;) {
    const end = text.indexOf("\n", from);
    if (end < 0) return;
    const stop = plain ? end : bytes.indexOf(newline, begin);
    take(text.slice(from, end), offset + begin, offset + stop + 1);
    from = end + 1;
    begin = stop + 1;
  }
}

type Take = (line: string, from: number, to: number) => void;

function taker(task: Task, part: number): Take {
  const wanted = task.filter.text.toLowerCase();
  const cells = task.format === "CSV" ? csv(task) : json(task);
  return (line, from, to) => {
    const row = cells(line, from);
    if (!row) return;
    counts.rows++;
    count(task, row.cells);
    if (wanted === "" || !matches(task.filter.column, wanted, row.cells)) return;
    counts.matches++;
    if (places.length < mostPlaces * 3) places.push(part, row.from, to);
  };
}

const matches = (column: number, wanted: string, cells: readonly string[]): boolean =>
  column >= 0 ? (cells[column] ?? "").toLowerCase().includes(wanted) : cells.some((cell) => cell.toLowerCase().includes(wanted));

interface Row {
  cells: readonly string[];
  from: number;
}

function csv({ separator }: Task): (line: string, from: number) => Row | undefined {
  let header = true;
  let open = "";
  let begin = 0;
  return (whole, from) => {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    const text = open ? `${open}\n${line}` : line;
    if (!open) begin = from;
    // An odd number of quotes means that the row goes on after this line end.
    open = text.includes('"') && text.split('"').length % 2 === 0 ? text : "";
    if (open) return undefined;
    if (header) {
      header = false;
      return undefined;
    }
    return text === "" ? undefined : { cells: splitLine(text, separator), from: begin };
  };
}

function json({ paths }: Task): (line: string, from: number) => Row | undefined {
  return (line, from) => {
    if (line.length < 2) return undefined; // the brackets of the array
    try {
      const item: unknown = JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line);
      return { cells: paths.map((path) => cellOf(item, path)), from };
    } catch {
      return undefined; // the file ends in the middle of a row
    }
  };
}

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
