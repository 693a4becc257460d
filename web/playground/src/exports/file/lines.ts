// The rows of a file as they arrive, whatever its size. A row is a line, but for CSV cells with line ends in quotes, which are put
// together again.

import type { Column, ExportKind } from "../api/kinds";
import { itemOf, splitLine } from "./parse";

/** How a file is written, and where it is. */
export interface Written extends Pick<ExportKind, "format" | "separator" | "container"> {
  /** The addresses of the parts. */
  sources: readonly string[];
  columns: readonly Column[];
}

/** How the cells of a row are read; a line that is no row has none. */
export const cellsOf = ({ format, separator, columns }: Omit<Written, "sources" | "container">): ((line: string) => readonly string[] | undefined) =>
  format === "CSV" ? (line) => splitLine(line, separator) : (line) => itemOf(line, columns);

/** Gives each row of a part; the header of CSV apart. `arrived` is told how many characters have come. */
export async function eachLine(
  body: ReadableStream<Uint8Array>,
  { csv, row, header, arrived }: { csv: boolean; row(line: string): void; header?(line: string): void; arrived?(characters: number): void },
): Promise<void> {
  const take = csv ? joining(row, header) : row;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(line);
    arrived?.(value.length);
  }
  if (rest !== "") take(rest);
}

// An odd number of quotes means that a row goes on after this line end.
function joining(row: (line: string) => void, header: (line: string) => void = () => {}): (line: string) => void {
  let first = true;
  let open: string | undefined;
  return (whole) => {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    const text = open === undefined ? line : `${open}\n${line}`;
    open = text.includes('"') && text.split('"').length % 2 === 0 ? text : undefined;
    if (open !== undefined) return;
    if (first) header(text);
    else if (text !== "") row(text);
    first = false;
  };
}
