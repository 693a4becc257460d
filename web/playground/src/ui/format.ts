// Numbers as the page writes them.

/** A number of things in words: "1 row", "1,204 rows". */
export const counted = (n: number, what: string): string => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** How many rows of a file are one’s own. */
export function sharesOf(rows: number, own: number): string {
  if (rows === 0) return "It has no rows: nothing of this kind happened, to you or anyone.";
  if (own === 0) return `${rows === 1 ? "Its only row is not" : `None of its ${counted(rows, "row")} is`} yours: nothing of this kind happened to you.`;
  if (own === rows) return rows === 1 ? "Its only row is yours." : `All of its ${counted(rows, "row")} are yours.`;
  return `${own} of its ${counted(rows, "row")} ${own === 1 ? "is" : "are"} yours.`;
}

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
