// The proof: exports that are made after the taps, and the rows in their files that the taps caused.

import { signal } from "@preact/signals";
import { authHeaders } from "../exports/api/credentials";
import { fillPath, isMoment, kinds, spokenBy, writeMoment, type ExportKind } from "../exports/api/kinds";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "../exports/file/parse";
import { applicationKey } from "../exports/request/draft";
import { get, reason, send } from "../server/client";
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

/** The payload of an export of what happened since a date. */
function payloadSince(from: Date, { kind, payload }: Wanted): Record<string, unknown> {
  const members = Object.entries(kind.schema.properties ?? {});
  const fixed = members.filter(([, member]) => member.const !== undefined).map(([name, member]) => [name, member.const] as const);
  const moment = kind.schema.properties?.["from"];
  const window = moment && isMoment(moment) ? { from: writeMoment(from, moment), to: "now" } : {};
  return { ...Object.fromEntries(fixed), ...window, ...payload(kind) };
}

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
      change = { state: "there", ...(await rows(one.kind, payloadSince(from, one))) };
    } catch (error) {
      change = { state: "failed", trouble: reason(error) };
    }
    proof.value = proof.value.map((shown, j) => (i === j ? { ...shown, ...change } : shown));
  }
  making.value = false;
}

interface Part {
  link: string;
}

// The profile of the scene has but a few rows; they are looked for as the text arrives, so a large file is no trouble.
async function rows(kind: ExportKind, payload: Record<string, unknown>): Promise<Partial<Finding>> {
  const headers = Object.fromEntries([...authHeaders(kind), ["content-type", "application/json"], ["x-mock-scenario", "progress=now"]]);
  const { keyVariable = "", identifiers } = spokenBy(kind.interface)!;
  const path = fillPath(kind.path, { [keyVariable]: applicationKey(), campaign_token: names.campaign });
  const made = await send(path, { method: kind.method, headers, body: JSON.stringify(payload) });
  const { [identifiers.created]: id = "" } = (await made.json()) as Record<string, string>;
  const index = await get<{ rows: number; parts: Part[] }>(`/_mock/exports/${encodeURIComponent(id)}/index`);
  const lines: string[] = [];
  let header = "";
  for (const part of index.parts) {
    const { pathname, search } = new URL(part.link);
    const file = await send(pathname + search);
    for await (const line of linesOf(file)) {
      header ||= line;
      if (line.includes(names.phone) || line.includes(names.browser) || line.includes(`"custom_id":"${names.profile}"`)) lines.push(line);
    }
  }
  const columns = kind.format === "CSV" ? columnsOfHeader(header, kind) : columnsOfRequest(kind, payload);
  const text = kind.format === "CSV" ? lines.join("\n") : lines.map((line) => line.replace(/,$/, "")).join(",\n");
  const ownRows = lines.length > 0 ? rowsOf(kind.format === "CSV" ? text : `[${text}]`, kind, columns) : [];
  return { id, heads: columns.map((column) => column.name), ownRows: ownRows, rows: index.rows };
}

async function* linesOf(answer: Response): AsyncGenerator<string> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

