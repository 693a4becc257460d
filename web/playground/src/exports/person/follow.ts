// Follows one person through every kind of export: by the identifier that was given, and by those that stand beside it in the rows.

import { signal } from "@preact/signals";
import { reason } from "../../server/client";
import { clock } from "../../server/clock";
import { kinds, type Column, type ExportKind } from "../api/kinds";
import { parameters } from "../request/draft";
import { makeAndSearch, payloadSince, type Found } from "../search/search";

/** What one kind of export has of the person. */
export type Trace = { kind: string } & ({ state: "waiting" } | { state: "failed"; trouble: string } | ({ state: "there" } & Found));

/** The identifier that is typed. */
export const wanted = signal("");
/** What was found, in the order of the kinds. */
export const traces = signal<readonly Trace[]>([]);
/** Every identifier of the person that is known so far. */
export const known = signal<readonly string[]>([]);

// How far back files go: most kinds keep at least that much.
const days = 30;

// What tells people and installations apart, in the words of the schemas.
const identifying = new Set(["profile.id", "profile.custom_id", "installation.id", "installation.advertising_id"]);
const isIdentifier = ({ source, path }: Column): boolean => identifying.has(source) || path.at(-1) === "installation_ids";

/** Everything that a kind offers: all events, all identifiers, the attributes of its example. */
function everything(kind: ExportKind, now: Date): Record<string, unknown> {
  const lists = Object.entries(kind.schema.properties ?? {}).flatMap(([name, { type, items, examples }]) => {
    if (type !== "array") return [];
    const listed = items?.enum;
    return [[name, listed ?? examples?.[0] ?? []] as const];
  });
  return payloadSince(new Date(now.getTime() - days * 24 * 3600_000), kind, Object.fromEntries(lists));
}

/** Makes every kind of export, and finds the rows of the person; again, while rows tell of further identifiers. */
export async function follow(signal: AbortSignal): Promise<void> {
  known.value = [wanted.value.trim()];
  traces.value = kinds().map(({ kind }) => ({ kind, state: "waiting" }));
  const now = clock.value.state === "known" ? clock.value.now : new Date();
  // Snapshots name people in full, so they come first.
  const order = [...kinds()].sort((a, b) => Number(b.lookback === "snapshot") - Number(a.lookback === "snapshot"));
  for (let before = 0; before < known.value.length && !signal.aborted; ) {
    before = known.value.length;
    for (const kind of order) await trace(kind, now, signal);
  }
}

async function trace(kind: ExportKind, now: Date, signal: AbortSignal): Promise<void> {
  let found: Trace;
  if (signal.aborted) return;
  try {
    // As they are, and as CSV and JSON write quotes.
    const written = known.value.flatMap((one) => [one, one.replaceAll('"', '""'), JSON.stringify(one).slice(1, -1)]);
    const whole = new RegExp(`(?<![\\w-])(?:${written.map(literal).join("|")})(?![\\w-])`);
    const { columns, ...rest } = await makeAndSearch(kind, everything(kind, now), parameters.value, (line) => whole.test(line), signal);
    found = { kind: kind.kind, state: "there", columns, ...rest };
    const places = columns.flatMap((column, i) => (isIdentifier(column) ? [i] : []));
    const named = rest.rows.flatMap((row) => places.flatMap((i) => partsOf(columns[i]!, row[i] ?? ""))).filter(tellsApart);
    known.value = [...new Set([...known.value, ...named])];
  } catch (error) {
    found = { kind: kind.kind, state: "failed", trouble: reason(error) };
  }
  traces.value = traces.value.map((one) => (one.kind === kind.kind ? found : one));
}

const partsOf = ({ path }: Column, text: string): string[] => (path.at(-1) === "installation_ids" ? text.split(", ") : [text]);

/** Whether an identifier is somebody's: many have one of zeros, who do not want to be followed, or none. */
const tellsApart = (text: string): boolean => /[^0\s-]/.test(text);

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
