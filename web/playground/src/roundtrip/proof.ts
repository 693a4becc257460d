// The proof: exports that are made after the taps, and the rows in their files that the taps caused.

import { signal } from "@preact/signals";
import { kinds, type ExportKind } from "../exports/api/kinds";
import { makeAndSearch, payloadSince } from "../exports/search/search";
import { reason } from "../server/client";
import { clock, refreshClock } from "../server/clock";
import { names, settled } from "./recorder";

/** What one export showed. */
export interface Finding {
  kind: string;
  why: string;
  state: "making" | "there" | "failed";
  trouble?: string;
  id?: string;
  heads?: readonly string[];
  ownRows?: readonly (readonly string[])[];
  rows?: number;
}

/** The exports of the last look, in their order. */
export const proof = signal<readonly Finding[]>([]);
/** Whether a look is under way. */
export const making = signal(false);

const hour = 3600 * 1000;

/** An export that shows something of the scene. */
interface Question {
  why: string;
  /** Whether a kind of export shows it. */
  fits(kind: ExportKind): boolean;
  /** What is asked for, beside the window and what the schema fixes. */
  payload(kind: ExportKind): Record<string, unknown>;
}

const questions: readonly Question[] = [
  {
    why: "the message: shown, clicked, closed",
    fits: ({ view, journey }) => view === "installation-messages" && journey.some(({ event }) => event === "inapp_shown"),
    payload: ({ journey }) => ({ events: journey.map(({ event }) => event), ids: ["install_id", "custom_id"] }),
  },
  {
    why: "the permission: given and taken",
    fits: ({ view }) => view === "installation-changes",
    payload: () => ({ ids: ["install_id", "custom_id"] }),
  },
  {
    why: "the tags, and when the person was last here",
    fits: ({ view }) => view === "profiles",
    payload: () => ({ attributes: ["interests", "$last_activity", "$push_subscriptions"], identifiers: ["custom_id", "installation_ids"] }),
  },
];

interface Wanted extends Pick<Question, "why" | "payload"> {
  kind: ExportKind;
}

const answerable = (): Wanted[] =>
  questions.flatMap(({ why, fits, payload }) => kinds().filter(fits).map((kind) => ({ kind, why, payload })).slice(0, 1));

/** Makes the exports and looks for the rows of the scene in their files. */
export async function makeProof(): Promise<void> {
  making.value = true;
  const wanted = answerable();
  proof.value = wanted.map(({ kind, why }) => ({ kind: kind.kind, why, state: "making" }));
  await settled();
  await refreshClock();
  const now = clock.value.state === "known" ? clock.value.now : new Date();
  const from = new Date(now.getTime() - hour);
  for (const [i, one] of wanted.entries()) {
    let change: Partial<Finding>;
    try {
      const payload = payloadSince(from, one.kind, one.payload(one.kind));
      const { id, columns, rows, of } = await makeAndSearch(one.kind, payload, { campaign_token: names.campaign }, isOwn);
      change = { state: "there", id, heads: columns.map((column) => column.name), ownRows: rows, rows: of };
    } catch (error) {
      change = { state: "failed", trouble: reason(error) };
    }
    proof.value = proof.value.map((shown, j) => (i === j ? { ...shown, ...change } : shown));
  }
  making.value = false;
}

const isOwn = (line: string): boolean => line.includes(names.phone) || line.includes(`"custom_id":"${names.profile}"`);
