// The rows of a file as they arrive, one after the other, whatever its size. Every row of these files is a line of its own, but for CSV
// cells with line ends in quotes, which are put together again.

import type { Column, ExportKind } from "../api/kinds";
import { itemOf, splitLine } from "./parse";

/** How a file is written, and where it is: what a worker is told of it. */
export interface Written extends Pick<ExportKind, "format" | "separator"> {
  /** The addresses of the parts. */
  sources: readonly string[];
  columns: readonly Column[];
}

/** Takes the text of a row, and at which bytes it begins and ends. */
export type Take = (line: string, from: number, to: number) => void;

const newline = 10;

/** Opens a part. */
export async function opened(source: string): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(source, { cache: "no-store" });
  if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status} to the file`);
  return answer.body;
}

/** How the cells of a row are read; a line that is no row has none. */
export const cellsOf = ({ format, separator, columns }: Omit<Written, "sources">): ((line: string) => readonly string[] | undefined) =>
  format === "CSV" ? (line) => splitLine(line, separator) : (line) => itemOf(line, columns);

/** Gives each row of a part, and the header of CSV apart. `arrived` is told how many bytes have come. */
export async function eachLine(
  body: ReadableStream<Uint8Array>,
  { csv, row, header, arrived }: { csv: boolean; row: Take; header?: (line: string) => void; arrived?: (bytes: number) => void },
): Promise<void> {
  const take = csv ? joining(row, header) : row;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = new Uint8Array();
  let offset = 0; // of the first byte of `rest`
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const last = value.lastIndexOf(newline);
    if (last < 0) rest = joined(rest, value);
    else {
      const whole = joined(rest, value.subarray(0, last + 1));
      lines(whole, decoder, offset, take);
      offset += whole.length;
      rest = value.slice(last + 1);
    }
    arrived?.(value.length);
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

// An odd number of quotes means that a row goes on after this line end.
function joining(row: Take, header: (line: string) => void = () => {}): Take {
  let first = true;
  let open = "";
  let begin = 0;
  return (whole, from, to) => {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    const text = open ? `${open}\n${line}` : line;
    if (!open) begin = from;
    open = text.includes('"') && text.split('"').length % 2 === 0 ? text : "";
    if (open) return;
    if (first) header(text);
    else if (text !== "") row(text, begin, to);
    first = false;
  };
}
