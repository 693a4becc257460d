// The file of an export, some rows at a time: the index of the server says at which bytes rows begin, and Range requests fetch them.

import type { Column, ExportKind } from "../api/kinds";
import { server, within } from "../../server/address";
import { get, Refusal, send } from "../../server/client";
import { cellsOf, eachLine, type Written } from "./lines";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "./parse";
import { contentOf } from "./unpack";

/** One part of a file: how large it is, and at which bytes and rows its blocks begin. */
interface Part {
  number: number;
  rows: number;
  size: number;
  link: string;
  offsets: number[];
  first_rows: number[];
}

/** Consecutive rows. */
interface Block {
  part: number;
  from: number;
  to: number;
  first: number;
  rows: number;
}

/** A row, and its number in the file from 1. */
export interface Row {
  number: number;
  cells: readonly string[];
}

/** How many blocks are kept. */
const mostBlocks = 8;
/** The largest packed file that is unpacked: all of it stays in memory. */
const mostPacked = 16 << 20;

/** The file of an export. */
export class ExportFile {
  rows = 0;
  size = 0;
  parts: readonly Part[] = [];
  columns: readonly Column[] = [];
  #blocks: Block[] = [];
  #unpacked: string[][] = []; // all rows of a packed file, in which no row begins at a byte
  readonly #cache = new Map<number, string[][]>();
  readonly #stop = new AbortController();

  constructor(
    readonly id: string,
    readonly kind: ExportKind,
    readonly request: Record<string, unknown>,
  ) {}

  /** Reads the index and the header. */
  async open(): Promise<void> {
    await this.renew();
    if (this.kind.container) return this.#unpack();
    if (this.kind.format === "CSV") {
      const { offsets, size } = this.parts[0]!;
      this.columns = columnsOfHeader(await this.#text({ part: 0, from: 0, to: offsets[0] ?? size }), this.kind);
    } else this.columns = columnsOfRequest(this.kind, this.request);
  }

  async #unpack(): Promise<void> {
    if (this.size > mostPacked) throw new Error(`it is packed, and too large to be unpacked here: download it with curl`);
    if (this.kind.format === "JSON") this.columns = columnsOfRequest(this.kind, this.request);
    for (const part of this.parts.keys()) {
      const content = await contentOf(await send(within(this.parts[part]!.link), { signal: this.#stop.signal }), this.kind.container);
      await eachLine(content, {
        csv: this.kind.format === "CSV",
        header: (line) => (this.columns = columnsOfHeader(line, this.kind)),
        row: (line) => this.#unpacked.push(...[cellsOf(this.written)(line) ?? []].filter((cells) => cells.length > 0).map((cells) => [...cells])),
      });
    }
  }

  /** Reads the index, which brings new links. */
  async renew(): Promise<void> {
    const { signal } = this.#stop;
    const index = await get<{ size: number; parts: Part[] }>(`/_mock/exports/${encodeURIComponent(this.id)}/index`, { signal });
    Object.assign(this, index);
    this.#blocks = [];
    let before = 0;
    for (const [part, { offsets, first_rows: firsts, size, rows }] of this.parts.entries()) {
      for (const [i, from] of offsets.entries())
        this.#blocks.push({ part, from, to: offsets[i + 1] ?? size, first: before + firsts[i]!, rows: (firsts[i + 1] ?? rows) - firsts[i]! });
      before += rows;
    }
  }

  /** How it is written and where, for a worker that reads all of it. */
  get written(): Written {
    const { format, separator, container } = this.kind;
    return { sources: this.parts.map((_, part) => this.link(part)), format, separator, container, columns: this.columns };
  }

  /** The address of a part on this server. */
  link(part: number): string {
    return server() + within(this.parts[part]!.link);
  }

  /** Until when the links work; undefined when they do not say. */
  get expires(): Date | undefined {
    const time = new Date(new URL(this.parts[0]!.link).searchParams.get("expires") ?? "");
    return Number.isNaN(time.getTime()) ? undefined : time;
  }

  /** The rows from one on and before another, counted from 0. */
  async page(from: number, to: number): Promise<Row[]> {
    if (this.kind.container) return this.#unpacked.slice(from, to).map((cells, i) => ({ number: from + i + 1, cells }));
    const found: Row[] = [];
    for (const [i, block] of this.#blocks.entries()) {
      if (block.first + block.rows <= from || block.first >= to) continue;
      const rows = this.#cache.get(i) ?? rowsOf(await this.#text(block), this.kind, this.columns);
      this.#cache.delete(i); // the last that was used stands last
      this.#cache.set(i, rows);
      if (this.#cache.size > mostBlocks) this.#cache.delete([...this.#cache.keys()][0]!);
      const skipped = Math.max(0, from - block.first);
      found.push(...rows.slice(skipped, to - block.first).map((cells, j) => ({ number: block.first + skipped + j + 1, cells })));
    }
    return found;
  }

  // A link that has expired meanwhile is replaced once.
  async #text({ part, from, to }: Pick<Block, "part" | "from" | "to">, again = true): Promise<string> {
    if (to <= from) return "";
    try {
      const answer = await send(within(this.parts[part]!.link), { headers: { range: `bytes=${from}-${to - 1}` }, signal: this.#stop.signal });
      const text = await answer.text();
      // A server that compresses has no ranges, and sends everything.
      return answer.status === 206 ? text : new TextDecoder().decode(new TextEncoder().encode(text).slice(from, to));
    } catch (error) {
      if (!again || !(error instanceof Refusal) || error.status !== 403) throw error;
      await this.renew();
      return this.#text({ part, from, to }, false);
    }
  }

  /** Stops what is still under way. */
  close(): void {
    this.#stop.abort();
  }
}
