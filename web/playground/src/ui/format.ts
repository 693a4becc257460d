// Numbers as the page writes them.

/** A number of things in words: "1 row", "1,204 rows". */
export const counted = (n: number, what: string): string => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** A number of bytes in words. */
export function bytes(n: number): string {
  for (const [unit, name] of [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ] as const)
    if (n >= unit) return `${(n / unit).toFixed(n >= unit * 100 ? 0 : 1)} ${name}`;
  return `${n} bytes`;
}

/** A time in milliseconds in words. */
export const duration = (ms: number): string => (ms < 0.05 ? "< 0.1 ms" : ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`);
