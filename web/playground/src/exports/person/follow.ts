// Follows one person through every kind of export: by the identifier that was given, and by those that stand beside it in the rows.

import { signal } from "@preact/signals";
import { reason } from "../../server/client";
import { clock, refreshClock } from "../../server/clock";
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
/** Whether a search is under way. */
export const following = signal(false);

let stopper = new AbortController();

/** Ends the search that is under way: what was found so far stays. */
export const stop = (): void => stopper.abort();

/** Does something as the one search there is. */
async function searching(search: (signal: AbortSignal) => Promise<void>): Promise<void> {
  stop();
  const { signal } = (stopper = new AbortController());
  following.value = true;
  try {
    await search(signal);
  } catch (error) {
    if (!signal.aborted) traces.value = [{ kind: "All files", state: "failed", trouble: reason(error) }];
  } finally {
    if (signal === stopper.signal) {
      following.value = false;
      traces.value = traces.value.map((one) => (one.state === "waiting" ? { kind: one.kind, state: "failed", trouble: "stopped before this file was read" } : one));
    }
  }
}

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

const moment = async (): Promise<Date> => {
  await refreshClock();
  return clock.value.state === "known" ? clock.value.now : new Date();
};

/** Finds somebody who got a message, so that there is something to follow. */
export const pickSomeone = (): Promise<void> =>
  searching(async (signal) => {
    const kind = kinds().find(({ journey, target }) => journey.length > 0 && target !== "") ?? kinds()[0]!;
    const now = await moment();
    let first = true;
    const found = await makeAndSearch(kind, everything(kind, now), parameters.value, (line) => line !== "" && first && !(first = false), signal);
    const place = found.columns.findIndex(({ source }) => source === "installation.id");
    wanted.value = found.rows[0]?.[Math.max(0, place)] ?? "";
    if (wanted.value === "") traces.value = [{ kind: kind.kind, state: "failed", trouble: "no one received this message in the last 30 days" }];
  });

/** Makes every kind of export, and finds the rows of the person; again, while rows tell of further identifiers. */
export const follow = (): Promise<void> =>
  searching(async (signal) => {
    known.value = [wanted.value.trim()];
    traces.value = kinds().map(({ kind }) => ({ kind, state: "waiting" }));
    const now = await moment();
    // Snapshots name people in full, so they come first.
    const order = [...kinds()].sort((a, b) => Number(b.lookback === "snapshot") - Number(a.lookback === "snapshot"));
    for (let before = 0; before < known.value.length; ) {
      before = known.value.length;
      for (const kind of order) await trace(kind, now, signal);
    }
  });

async function trace(kind: ExportKind, now: Date, signal: AbortSignal): Promise<void> {
  let found: Trace;
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
    signal.throwIfAborted();
    found = { kind: kind.kind, state: "failed", trouble: reason(error) };
  }
  traces.value = traces.value.map((one) => (one.kind === kind.kind ? found : one));
}

const partsOf = ({ path }: Column, text: string): string[] => (path.at(-1) === "installation_ids" ? text.split(", ") : [text]);

/** Whether an identifier is somebody's: many have one of zeros, who do not want to be followed, or none. */
const tellsApart = (text: string): boolean => /[^0\s-]/.test(text);

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** One thing that happened to the person. */
export interface Moment {
  at: string;
  kind: string;
  what: string;
}

/** What happened, in order of time. */
export function moments(found: readonly Trace[]): Moment[] {
  const all = found.flatMap((one) => {
    if (one.state !== "there") return [];
    const place = (...sources: string[]): number => one.columns.findIndex(({ source }) => sources.includes(source));
    const date = place("event.date");
    const type = place("event.type", "event.reasons");
    return date < 0 ? [] : one.rows.map((row) => ({ at: row[date] ?? "", kind: one.kind, what: row[type] ?? "changed" }));
  });
  const seconds = ({ at }: Moment): string => at.replace("T", " ").slice(0, 19);
  return all.sort((a, b) => (seconds(a) === seconds(b) ? 0 : seconds(a) < seconds(b) ? -1 : 1));
}
