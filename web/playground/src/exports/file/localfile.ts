// A file that was dropped on the page or pasted, shown like one of the server's: its index is built here in one pass, and keeps only
// the offsets of blocks.

import type { Column, ExportKind } from "../api/kinds";
import { ExportFile, type Index, type Span } from "./file";
import { attributeColumn } from "./parse";

const perBlock = 500; // rows
const newline = 10;
const quote = 34;
/** Up to this size JSON is reformatted with one row on each line, as the files of this server are. */
const mostJson = 64 << 20;

/** A file of the user's. */
export class LocalFile extends ExportFile {
  #body: Blob;

  constructor(body: Blob, kind: ExportKind) {
    super("", kind, {});
    this.#body = body;
  }

  override get shared(): boolean {
    return false;
  }

  protected override source(): Blob {
    return this.#body;
  }

  override async fetch([, from, to]: Span): Promise<string> {
    return to <= from ? "" : this.#body.slice(from, to).text();
  }

  override async open(): Promise<void> {
    if (this.kind.format === "JSON" && this.#body.size <= mostJson) this.#body = await lined(this.#body);
    await super.open();
    if (this.kind.view === "profiles") this.columns = attributesOf(await this.#body.slice(0, 1 << 20).text(), this.kind);
  }

  protected override async index(): Promise<Index> {
    const csv = this.kind.format === "CSV";
    const offsets: number[] = [];
    const first_rows: number[] = [];
    let rows = 0;
    let quoted = false;
    let at = 0; // of the byte
    let begin = 0; // of the line
    let header = true; // the header of CSV, or the bracket before the items
    const end = (stop: number): void => {
      if (header) header = false;
      else if (csv ? stop > begin : stop - begin > 2) {
        if (rows % perBlock === 0) {
          offsets.push(begin);
          first_rows.push(rows);
        }
        rows++;
      }
      begin = stop + 1;
    };
    const reader = this.#body.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let i = 0; i < value.length; i++, at++) {
        const byte = value[i];
        if (csv && byte === quote) quoted = !quoted;
        else if (byte === newline && !quoted) end(at);
      }
    }
    if (begin < at) end(at);
    return { rows, size: this.#body.size, parts: [{ number: 1, rows, size: this.#body.size, link: "", offsets, first_rows }] };
  }
}

// JSON of the real service may stand in one line, or in many for each row. What cannot be read is shown line by line, as it is.
async function lined(body: Blob): Promise<Blob> {
  try {
    const items: unknown = JSON.parse(await body.text());
    if (!Array.isArray(items)) return body;
    return new Blob(["[\n", items.map((item) => JSON.stringify(item)).join(",\n"), "\n]\n"]);
  } catch {
    return body;
  }
}

// A file of attributes does not say what was asked for: its columns are what its first rows have.
function attributesOf(start: string, kind: ExportKind): Column[] {
  const names = new Set<string>();
  for (const line of start.split("\n").slice(0, 200)) {
    try {
      const item = JSON.parse(line.replace(/,\s*$/, "")) as { attributes?: Record<string, unknown> };
      for (const name of Object.keys(item.attributes ?? {})) names.add(name);
    } catch {
      continue; // a bracket, or a row that is not whole
    }
  }
  return [...[...names].map((name) => attributeColumn(kind, name)), ...kind.columns.filter((column) => column.path[0] === "identifiers")];
}
