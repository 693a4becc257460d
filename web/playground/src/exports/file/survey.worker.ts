// The worker of a survey: it streams every part of a file, row by row.

import { cellsOf, eachLine } from "./lines";
import { contentOf } from "./unpack";
import { mostFound, type Findings, type Task } from "./survey";

const now: Findings = { rows: 0, read: 0, done: false, matches: 0, found: [], hours: {} };

onmessage = async ({ data: task }: MessageEvent<Task>) => {
  let told = 0;
  const arrived = (characters: number): void => {
    now.read += characters;
    if (performance.now() - told < 150) return;
    told = performance.now();
    postMessage(now);
  };
  try {
    for (const source of task.sources) {
      const answer = await fetch(source, { cache: "no-store", headers: { "x-mock-lint": "off" } });
      if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status} to the file`);
      await eachLine(await contentOf(answer, task.container), { csv: task.format === "CSV", row: taker(task), arrived });
    }
    postMessage({ ...now, done: true });
  } catch (error) {
    postMessage({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

function taker({ filter, date, type, ...written }: Task): (line: string) => void {
  const wanted = filter.toLowerCase();
  const cellsIn = cellsOf(written);
  const lists = written.columns[type]?.type === "list";
  return (line) => {
    const cells = cellsIn(line);
    if (!cells) return;
    now.rows++;
    if (wanted !== "" && cells.some((cell) => cell.toLowerCase().includes(wanted))) {
      now.matches++;
      if (now.found.length < mostFound) now.found.push({ number: now.rows, cells });
    }
    if (date < 0) return;
    const hour = (now.hours[(cells[date] ?? "").slice(0, 13)] ??= {});
    const name = type < 0 ? "events" : (cells[type] ?? "");
    for (const one of lists ? name.split(", ") : [name]) hour[one] = (hour[one] ?? 0) + 1;
  };
}
