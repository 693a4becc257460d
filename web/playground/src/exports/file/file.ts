// A file of an export, fetched on demand: the server's index gives the byte offsets of blocks of rows, which Range requests fetch into
// an LRU cache, so that memory is bounded however far one scrolls.

import { signal } from "@preact/signals";
import type { Column, ExportKind } from "../api/kinds";
import { get, Refusal, send } from "../../server/client";
import type { Written } from "./lines";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "./parse";

/** One part of a file: how large it is, and at which bytes and rows its blocks begin. */
export interface Part {
  number: number;
  rows: number;
  size: number;
  link: string;
  offsets: number[];
  first_rows: number[];
}

/** Where the rows of a file are. */
interface Index {
  rows: number;
  size: number;
  parts: Part[];
}

/** A block of consecutive rows. */
interface Block {
  part: number;
  from: number;
  to: number;
  first: number;
  rows: number;
}

/** After how long a block that could not be fetched is asked for again, in milliseconds. */
const retryDelay = 5000;

/** How many blocks the cache holds. */
const mostBlocks = 48;

/** How many blocks are fetched at once: what was passed meanwhile, as a scroll bar is dragged, is not waited for. */
const mostLoads = 3;

/** A byte range of a file: a part, counted from 0, the first byte, and the one after the last. */
export type Span = readonly [part: number, from: number, to: number];

/** The file of an export. */
export class ExportFile {
  /** Counts what was fetched, so that a view knows when to look again. */
  readonly version = signal(0);
  /** What went wrong last; "" when nothing did. */
  readonly trouble = signal("");
  rows = 0;
  size = 0;
  parts: readonly Part[] = [];
  columns: readonly Column[] = [];
  #firsts: Float64Array = new Float64Array(); // the first row of each block of the whole file
  #blocks: Block[] = [];
  readonly #cache = new Map<number, string[][] | Promise<void>>();
  #loads = 0;
  readonly #failed = new Map<number, number>(); // blocks that could not be fetched, and when
  readonly #stop = new AbortController();

  constructor(
    readonly id: string,
    readonly kind: ExportKind,
    readonly request: Record<string, unknown>,
  ) {}

  /** Reads the index and the header. */
  async open(): Promise<void> {
    await this.#index();
    if (this.kind.format === "CSV") {
      const first = this.parts[0]!;
      const header = await this.fetch([0, 0, first.offsets[0] ?? first.size]);
      this.columns = columnsOfHeader(header, this.kind);
    } else this.columns = columnsOfRequest(this.kind, this.request);
  }

  async #index(): Promise<void> {
    const { parts, size } = await get<Index>(`/_mock/exports/${encodeURIComponent(this.id)}/index`, { signal: this.#stop.signal });
    this.parts = parts;
    this.size = size;
    this.#blocks = [];
    let before = 0;
    for (const [p, part] of this.parts.entries()) {
      for (let i = 0; i < part.offsets.length; i++) {
        const last = i + 1 === part.offsets.length;
        const first = part.first_rows[i]!;
        this.#blocks.push({
          part: p,
          from: part.offsets[i]!,
          to: last ? part.size : part.offsets[i + 1]!,
          first: before + first,
          rows: (last ? part.rows : part.first_rows[i + 1]!) - first,
        });
      }
      before += part.rows;
    }
    this.rows = before;
    this.#firsts = Float64Array.from(this.#blocks, (block) => block.first);
  }

  /** How it is written and where, for a worker that reads all of it. */
  get written(): Written {
    const { format, separator } = this.kind;
    return { sources: this.parts.map((_, part) => this.link(part)), format, separator, columns: this.columns };
  }

  /** The address of a part on this origin. */
  link(part: number): string {
    const { pathname, search } = new URL(this.parts[part]!.link);
    return pathname + search;
  }

  /** The address of a part as the server gives it out: files may have an origin of their own. */
  address(part: number): string {
    return this.parts[part]!.link;
  }

  /** Takes the links that the server gives out by now; it keeps those that it has when there are none. */
  async renew(): Promise<void> {
    await this.#index().catch(() => {});
    this.version.value++;
  }

  /** Until when the link of a part works; undefined when the link does not say. */
  expires(part: number): Date | undefined {
    const time = new Date(new URL(this.parts[part]!.link).searchParams.get("expires") ?? "");
    return Number.isNaN(time.getTime()) ? undefined : time;
  }

  /** The text at some bytes. A link that has expired meanwhile is replaced. */
  async fetch([part, from, to]: Span, again = true): Promise<string> {
    if (to <= from) return "";
    const { signal } = this.#stop;
    try {
      const answer = await send(this.link(part), { headers: { range: `bytes=${from}-${to - 1}` }, signal });
      const text = await answer.text();
      // A server that compresses has no ranges, and sends everything.
      return answer.status === 206 ? text : new TextDecoder().decode(new TextEncoder().encode(text).slice(from, to));
    } catch (error) {
      if (!again || !(error instanceof Refusal) || error.status !== 403) throw error;
      await this.#index();
      return this.fetch([part, from, to], false);
    }
  }

  /** Which block a row is in. */
  #blockOf(row: number): number {
    let low = 0;
    let high = this.#firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#firsts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The cells of a row, if it is in the cache; otherwise its block is fetched. */
  row(row: number): readonly string[] | undefined {
    const index = this.#blockOf(row);
    const block = this.#blocks[index];
    if (!block) return undefined;
    const cached = this.#cache.get(index);
    if (Array.isArray(cached)) {
      this.#cache.delete(index); // most recently used last
      this.#cache.set(index, cached);
      return cached[row - block.first];
    }
    const failed = this.#failed.get(index) ?? -Infinity;
    if (!cached && this.#loads < mostLoads && performance.now() - failed > retryDelay) this.#cache.set(index, this.#load(index, block));
    return undefined; // it is asked for again when another one has come
  }

  async #load(index: number, block: Block): Promise<void> {
    this.#loads++;
    try {
      const text = await this.fetch([block.part, block.from, block.to]);
      this.#cache.set(index, rowsOf(text, this.kind, this.columns));
      this.trouble.value = "";
    } catch (error) {
      this.#cache.delete(index);
      this.#failed.set(index, performance.now());
      if (!this.#stop.signal.aborted) this.trouble.value = error instanceof Error ? error.message : String(error);
    }
    this.#loads--;
    for (const old of this.#cache.keys()) {
      if (this.#cache.size <= mostBlocks) break;
      this.#cache.delete(old);
    }
    this.version.value++;
  }

  /** Stops everything that is still under way. */
  close(): void {
    this.#stop.abort();
    this.#cache.clear();
  }
}
