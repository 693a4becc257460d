// A report of `mockserver proxy` or `mockserver compare` in JSON: one object a line.

/** What a report says of one drift or difference. */
export interface Entry {
  readonly id: string;
  readonly severity: string;
  readonly state: string;
  readonly kind: string;
  readonly where: string;
  /** What the schema files, or the first service, say. */
  readonly allowed: string;
  readonly came: string;
  readonly count: number;
  readonly sample?: string;
  /** The changes of schema files that would say it. */
  readonly overlay: readonly string[];
  /** All values that were seen, if not all steps saw the same. */
  readonly pairs: readonly Pair[];
  readonly relation: Relation;
}

/** What the services said in some of the steps. */
export interface Pair {
  readonly allowed: string;
  readonly came: string;
  readonly seen: readonly string[];
}

/** What an entry has to do with others. */
export interface Relation {
  /** The identifier of the entry that this one follows from. */
  readonly follows: string;
  /** A cause in a sentence, what to look at, and the conversations that could not be compared because of it. */
  readonly says: string;
  readonly advice: string;
  readonly hinders: readonly string[];
  /** The endpoints, if it is the same at several. */
  readonly at: readonly string[];
}

/** The entries that follow from no other one. An entry whose cause is not in the report stands for itself. */
export const first = (of: Report): readonly Entry[] => of.entries.filter((entry) => !of.entries.some((other) => other.id === entry.relation.follows));

/** A report. */
export interface Report {
  readonly of: "proxy" | "compare";
  readonly entries: readonly Entry[];
  /** What a client should not do. */
  readonly lints: readonly string[];
  /** Conversations about which nothing is known, with the reason. */
  readonly undecided: readonly string[];
  readonly summary: readonly (readonly [string, string])[];
}

/** A file that is no such report. */
export class NotAReport extends Error {}

type Line = Record<string, unknown>;
const object = (value: unknown): Line | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Line) : undefined;
const text = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The most lines that are read. */
const mostLines = 20_000;

/** Reads a report. Throws {@link NotAReport}, which says what is in its place. */
export function readReport(content: string): Report {
  const entries: Entry[] = [];
  const lints: string[] = [];
  const undecided: string[] = [];
  const summary: (readonly [string, string])[] = [];
  let of: Report["of"] = "proxy";
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > mostLines) throw new NotAReport(`It has ${lines.length} lines; a report has at most ${mostLines}.`);
  lines.forEach((line, index) => {
    let read: Line | undefined;
    try {
      read = object(JSON.parse(line));
    } catch {
      throw new NotAReport(`Line ${index + 1} is not JSON. Reports are made with --format json.`);
    }
    const finding = object(read?.["finding"]);
    const difference = object(read?.["difference"]);
    const lint = object(read?.["lint"]);
    const conversation = object(read?.["conversation"]);
    const summed = object(read?.["summary"]);
    if (finding) entries.push(drift(finding, text(read?.["state"])));
    else if (difference) {
      of = "compare";
      entries.push(unlike(difference, text(read?.["state"])));
    } else if (lint) lints.push(text(lint["message"]));
    else if (conversation) {
      of = "compare";
      if (text(conversation["undecided"])) undecided.push(`${text(conversation["name"])}: ${text(conversation["undecided"])}`);
    } else if (summed)
      for (const [name, value] of Object.entries(summed))
        summary.push([name.replaceAll("_", " "), Array.isArray(value) ? value.map(text).join(", ") || "none" : written(value)]);
    else throw new NotAReport(`Line ${index + 1} is neither a finding nor a summary. Choose the output of proxy or compare with --format json.`);
  });
  if (summary.length === 0) throw new NotAReport("It has no summary at its end. Was it cut off, or is it another file?");
  return { of, entries, lints, undecided, summary };
}

const written = (value: unknown): string => {
  const inner = object(value);
  if (value === null) return "none";
  return inner ? `${Object.keys(inner).length}` : text(value);
};

function drift(finding: Line, state: string): Entry {
  const where = object(finding["where"]) ?? {};
  const sample = text(finding["sample"]);
  return {
    ...common(finding, state),
    where: [text(where["route"]), text(where["status"]), text(where["side"]), text(where["pointer"]) || "/"].filter(Boolean).join(" "),
    allowed: text(finding["allowed"]),
    came: text(finding["came"]),
    ...(sample && { sample }),
    overlay: list(finding["overlay"]).map((each) => {
      const change = object(each) ?? {};
      return `${text(change["file"])}#${text(change["pointer"])}: ${text(change["change"])}`;
    }),
    pairs: [],
    relation: related(undefined),
  };
}

const unlike = (difference: Line, state: string): Entry => ({
  ...common(difference, state),
  where: `${text(difference["where"])}: ${text(difference["about"])}`,
  allowed: text(difference["a"]),
  came: text(difference["b"]),
  sample: list(difference["seen"]).map(text).join(", "),
  overlay: [],
  pairs: list(difference["pairs"]).map((each) => {
    const pair = object(each) ?? {};
    return { allowed: text(pair["a"]), came: text(pair["b"]), seen: list(pair["seen"]).map(text) };
  }),
  relation: related(object(difference["relation"])),
});

const related = (relation: Line | undefined): Relation => ({
  follows: text(relation?.["follows"]),
  says: text(relation?.["says"]),
  advice: text(relation?.["advice"]),
  hinders: list(relation?.["hinders"]).map(text),
  at: list(relation?.["at"]).map(text),
});

const common = (of: Line, state: string) => ({
  id: text(of["id"]),
  severity: text(of["severity"]),
  kind: text(of["kind"]),
  count: Number(of["count"]) || 0,
  state,
});

/** The severities, the worst first. */
export const severities = ["critical", "high", "medium", "low"] as const;
