// The worker that matches the rows of two files.

import { cellsOf, eachLine, opened, type Written } from "../file/lines";
import { Keys, match, type Matching } from "./keys";

/** A file, with the columns of its key and those that are compared, by number and in the same order for both files. */
export interface Side extends Written {
  key: readonly number[];
  compared: readonly number[];
}

/** What the worker says: how many bytes it has read, or what it found, or what went wrong. */
export type Said = { bytes: number } | { matching: Matching } | { trouble: string };

const say = (said: Said): void => postMessage(said);

onmessage = async ({ data: sides }: MessageEvent<readonly [Side, Side]>) => {
  let bytes = 0;
  let told = 0;
  const arrived = (more: number): void => {
    bytes += more;
    if (performance.now() - told < 150) return;
    told = performance.now();
    say({ bytes });
  };
  try {
    const [a, b] = [await read(sides[0], arrived), await read(sides[1], arrived)];
    say({ matching: match(a, b) });
  } catch (error) {
    say({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

async function read(side: Side, arrived: (bytes: number) => void): Promise<Keys> {
  const keys = new Keys();
  const cellsIn = cellsOf(side);
  const pick = (cells: readonly string[], columns: readonly number[]): string[] => columns.map((at) => cells[at] ?? "");
  for (const [part, source] of side.sources.entries()) {
    const row = (line: string, from: number, to: number): void => {
      const cells = cellsIn(line);
      if (cells) keys.take(pick(cells, side.key), pick(cells, side.compared), [part, from, to]);
    };
    await eachLine(await opened(source), { csv: side.format === "CSV", row, arrived });
  }
  return keys;
}
