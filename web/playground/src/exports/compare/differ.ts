// In which columns two files differ, by what was found in each.

import type { Column } from "../api/kinds";
import type { Findings, Profile } from "../file/survey";
import { percent, topOf } from "../file/sums";

/** A file that was read. */
export interface Side {
  columns: readonly Column[];
  found: Findings;
}

/** What is said of a column in each file; `differs` where it is not the same. */
export interface Fact {
  name: string;
  values: readonly [a: string, b: string];
  differs: boolean;
}

/** A frequent value, and which share of the rows with a value has it in each file. */
interface Shares {
  value: string;
  shares: readonly [a: number, b: number];
}

/** A column that both files have. */
export interface Pair {
  column: Column;
  facts: readonly Fact[];
  top: readonly Shares[];
  /** How much it differs, from 0 for not at all. */
  size: number;
}

/** What two files are in their columns. */
export interface Comparison {
  /** Columns that only one of the files has. */
  only: readonly [a: readonly Column[], b: readonly Column[]];
  /** Those of both, the most different first. */
  pairs: readonly Pair[];
}

const nameOf = ({ path }: Column): string => path.join(".");

/** Where each column of A that B has, too, is in either file. */
export function common(a: readonly Column[], b: readonly Column[]): (readonly [a: number, b: number])[] {
  const places = new Map(b.map((column, at) => [nameOf(column), at]));
  return a.flatMap((column, at) => {
    const there = places.get(nameOf(column));
    return there === undefined ? [] : [[at, there] as const];
  });
}

/** Compares the columns of two files. */
export function compare(a: Side, b: Side): Comparison {
  const shared = common(a.columns, b.columns);
  const missing = (columns: readonly Column[], side: 0 | 1): Column[] => columns.filter((_, at) => !shared.some((pair) => pair[side] === at));
  const pairs = shared.map(([at, there]) =>
    pairOf(a.columns[at]!, [a.found.profiles[at]!, b.found.profiles[there]!], [a.found.rows, b.found.rows]),
  );
  return { only: [missing(a.columns, 0), missing(b.columns, 1)], pairs: pairs.sort((x, y) => y.size - x.size) };
}

function pairOf(column: Column, both: readonly [Profile, Profile], rows: readonly [number, number]): Pair {
  const fact = (name: string, values: readonly [string, string]): Fact => ({ name, values, differs: values[0] !== values[1] });
  const each = <T>(of: (profile: Profile, rows: number) => T): [T, T] => [of(both[0], rows[0]), of(both[1], rows[1])];
  const empty = each(({ filled }, all) => (all === 0 ? 0 : 1 - filled / all));
  const facts = [
    ...[fact("Looks like", each(formOf))].filter(({ differs }) => differs),
    fact("Empty", each(({ filled }, all) => (filled === 0 && all > 0 ? "all" : filled === all ? "none" : percent(1 - filled / all)))),
    fact("Distinct", each(({ counts }) => (counts ? counts.size.toLocaleString("en") : "more than 1,000"))),
    ...(both.some(({ span }) => span) ? [fact("From", each(({ span }) => span?.[0] ?? "–")), fact("To", each(({ span }) => span?.[1] ?? "–"))] : []),
  ];
  const told = both.every(repeats) && column.type !== "date";
  const top = told ? topShares(both) : [];
  const size =
    Number(facts[0]!.name === "Looks like") + Math.abs(empty[0] - empty[1]) + (told ? distance(both) : 0) + 0.01 * facts.filter(({ differs }) => differs).length;
  return { column, facts, top, size };
}

// Values that hardly repeat say nothing by their number, only that there are some.
const repeats = ({ counts, filled }: Profile): boolean => counts !== undefined && (counts.size * 2 <= filled || filled === 0);

const forms: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["integers", /^-?\d{1,15}$/],
  ["numbers", /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/],
  ["true or false", /^(true|false)$/],
  ["dates", /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:?\d\d)?)?$/],
];

/** What the values of a column are, whatever the schema says of them. */
function formOf({ counts, span, filled }: Profile): string {
  if (filled === 0) return "nothing";
  const seen = counts ? [...counts.keys()] : span;
  return seen ? (forms.find(([, pattern]) => seen.every((value) => pattern.test(value)))?.[0] ?? "text") : "text";
}

const shareOf = ({ counts, filled }: Profile, value: string): number => (counts?.get(value) ?? 0) / Math.max(1, filled);

function topShares(both: readonly [Profile, Profile]): Shares[] {
  const values = new Set(both.flatMap(({ counts, filled }) => topOf(counts!, filled, 4).map(({ name }) => name)));
  return [...values].map((value) => ({ value, shares: [shareOf(both[0], value), shareOf(both[1], value)] as const }));
}

/** Half of what the shares of all values differ by: 0 for the same shares, 1 for no value in common. */
function distance(both: readonly [Profile, Profile]): number {
  const values = new Set(both.flatMap(({ counts }) => [...counts!.keys()]));
  let sum = 0;
  for (const value of values) sum += Math.abs(shareOf(both[0], value) - shareOf(both[1], value));
  return sum < 1e-9 ? 0 : sum / 2;
}
