// Which rows of two files belong together: by their keys, of which a bounded number is kept, whatever the size of the files. When there
// are more, only those are kept whose hash is a multiple of 2, 4, 8 …: the same ones of both files, so what is said of them is exact.

import type { Span } from "../file/file";

/** How many keys are kept of a file. */
export const mostKeys = 200_000;

interface Entry {
  rows: number;
  /** The sum of the hashes of the rows, in which their order does not count. */
  sum: number;
  place: Span;
}

/** What two files have in common and what not. Numbers count keys. */
export interface Matching {
  only: readonly [a: number, b: number];
  same: number;
  /** In both, with other contents, or in another number of rows. */
  changed: number;
  /** Of how many keys one was looked at. */
  each: number;
  /** Where the first rows of each are: those only in A, only in B, and the two of what has changed. */
  places: { only: readonly [a: Span[], b: Span[]]; changed: (readonly [a: Span, b: Span])[] };
}

/** How many rows of each kind can be shown. */
export const mostShown = 50;

/** The keys of one file. */
export class Keys {
  each = 1;
  readonly entries = new Map<number, Entry>();

  constructor(readonly most = mostKeys) {}

  /** Takes the next row: the cells of its key, and those that are compared. */
  take(key: readonly string[], cells: readonly string[], place: Span): void {
    const hash = hashOf(key);
    if (hash % this.each !== 0) return;
    const entry = this.entries.get(hash);
    const sum = hashOf(cells);
    if (entry) {
      entry.rows++;
      entry.sum = (entry.sum + sum) % Number.MAX_SAFE_INTEGER;
    } else this.entries.set(hash, { rows: 1, sum, place });
    while (this.entries.size > this.most) this.thin(this.each * 2);
  }

  /** Forgets all keys but one of so many. */
  thin(each: number): void {
    this.each = each;
    for (const hash of this.entries.keys()) if (hash % each !== 0) this.entries.delete(hash);
  }
}

/** Holds the keys of two files against each other. */
export function match(a: Keys, b: Keys): Matching {
  const each = Math.max(a.each, b.each);
  for (const keys of [a, b]) keys.thin(each);
  const places: Matching["places"] = { only: [[], []], changed: [] };
  const only: [number, number] = [0, 0];
  let same = 0;
  let changed = 0;
  for (const [hash, entry] of a.entries) {
    const other = b.entries.get(hash);
    if (!other) {
      if (only[0]++ < mostShown) places.only[0].push(entry.place);
    } else if (other.rows === entry.rows && other.sum === entry.sum) same++;
    else if (changed++ < mostShown) places.changed.push([entry.place, other.place]);
  }
  for (const [hash, entry] of b.entries) if (!a.entries.has(hash) && only[1]++ < mostShown) places.only[1].push(entry.place);
  return { only, same, changed, each, places };
}

/** A hash of 53 bits: two of 32, of which each mixes every character (cyrb53). */
function hashOf(cells: readonly string[]): number {
  let h = 0xdeadbeef;
  let l = 0x41c6ce57;
  for (const cell of cells) {
    for (let i = 0; i < cell.length; i++) {
      const code = cell.charCodeAt(i);
      h = Math.imul(h ^ code, 2654435761);
      l = Math.imul(l ^ code, 1597334677);
    }
    h = Math.imul(h ^ 0x10000, 2654435761); // the end of a cell, which no character is
    l = Math.imul(l ^ 0x10000, 1597334677);
  }
  h = Math.imul(h ^ (h >>> 16), 2246822507) ^ Math.imul(l ^ (l >>> 13), 3266489909);
  l = Math.imul(l ^ (l >>> 16), 2246822507) ^ Math.imul(h ^ (h >>> 13), 3266489909);
  return 4294967296 * (2097151 & l) + (h >>> 0);
}
