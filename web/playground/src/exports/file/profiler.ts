// What is in a column, found out row by row: it keeps counts of values while they are few, and the ends of what has an order.

import type { Profile } from "./survey";

/** Up to this many values of a column are counted. */
export const mostValues = 1000;

/** Takes the values of one column. */
export class Profiler {
  #filled = 0;
  #counts: Map<string, number> | undefined = new Map<string, number>();
  #least: string | undefined;
  #most: string | undefined;
  readonly #less: ((a: string, b: string) => boolean) | undefined;

  constructor(type: string) {
    // Dates are written so that their texts have the order of time.
    if (type === "date") this.#less = (a, b) => a < b;
    if (type === "integer" || type === "number") this.#less = (a, b) => Number(a) < Number(b);
  }

  /** Takes the value of the next row. An empty cell, or a member that is not there, is no value. */
  take(value: string | undefined): void {
    if (!value) return;
    this.#filled++;
    if (this.#less) {
      if (this.#least === undefined || this.#less(value, this.#least)) this.#least = value;
      if (this.#most === undefined || this.#less(this.#most, value)) this.#most = value;
    }
    if (!this.#counts) return;
    const before = this.#counts.get(value);
    if (before === undefined && this.#counts.size >= mostValues) this.#counts = undefined;
    else this.#counts.set(value, (before ?? 0) + 1);
  }

  /** What was found so far. */
  profile(): Profile {
    const span = this.#least === undefined ? undefined : ([this.#least, this.#most!] as const);
    return { filled: this.#filled, counts: this.#counts, span };
  }
}
