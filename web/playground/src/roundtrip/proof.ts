// The proof: exports that are made after the taps, and the rows in their files that the taps caused.

import { signal } from "@preact/signals";
import { fillPath, kindOf, writeMoment } from "../exports/api/kinds";
import { authHeaders } from "../exports/api/credentials";
import { parameters } from "../exports/request/draft";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "../exports/file/parse";
import { get, reason, send } from "../server/client";
import { clock, refreshClock } from "../server/clock";
import { names, settled } from "./recorder";

/** What one export showed. */
export interface Shown {
  kind: string;
  why: string;
  state: "making" | "there" | "failed";
  trouble?: string;
  id?: string;
  heads?: readonly string[];
  own?: readonly (readonly string[])[];
  rows?: number;
}

/** The exports of the last look, in their order. */
export const proof = signal<readonly Shown[]>([]);
/** Whether a look is under way. */
export const looking = signal(false);

const hour = 3600 * 1000;

const wanted: readonly { kind: string; why: string; body(from: string, fromZ: string): Record<string, unknown> }[] = [
  {
    kind: "in-app-campaign.events",
    why: "the message: shown, clicked, closed",
    body: (from) => ({ from, to: "now", events: ["inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_closed"], ids: ["install_id", "custom_id"] }),
  },
  {
    kind: "reachability.events",
    why: "the permission: given and taken",
    body: (from) => ({ from, to: "now", ids: ["install_id", "custom_id"] }),
  },
  {
    kind: "profiles.attributes",
    why: "the tags, and when the person was last here",
    body: () => ({ export_type: "ATTRIBUTES", attributes: ["interests", "$last_activity", "$push_subscriptions"], identifiers: ["custom_id", "installation_ids"] }),
  },
];

/** Makes the exports and looks for the rows of the scene in their files. */
export async function look(): Promise<void> {
  looking.value = true;
  proof.value = wanted.map(({ kind, why }) => ({ kind, why, state: "making" }));
  await settled();
  await refreshClock();
  const now = clock.value.state === "known" ? clock.value.now : new Date();
  const from = new Date(now.getTime() - hour);
  for (const [i, { kind, body }] of wanted.entries()) {
    let change: Partial<Shown>;
    try {
      change = { state: "there", ...(await rows(kind, body(writeMoment(from, "legacyMoment"), writeMoment(from, "")))) };
    } catch (error) {
      change = { state: "failed", trouble: reason(error) };
    }
    proof.value = proof.value.map((shown, j) => (i === j ? { ...shown, ...change } : shown));
  }
  looking.value = false;
}

interface Part {
  link: string;
}

// The profile of the scene has but a few rows; they are looked for as the text arrives, so a large file is no trouble.
async function rows(name: string, payload: Record<string, unknown>): Promise<Partial<Shown>> {
  const kind = kindOf(name);
  const headers = Object.fromEntries([...authHeaders(kind), ["content-type", "application/json"], ["x-mock-scenario", "progress=now"]]);
  const path = fillPath(kind.path, { api_key: parameters.value["api_key"]?.trim() || "live_demo", campaign_token: names.campaign });
  const made = await send(path, { method: kind.method, headers, body: JSON.stringify(payload) });
  const { requestId, id = requestId ?? "" } = (await made.json()) as { requestId?: string; id?: string };
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
  const own = lines.length > 0 ? rowsOf(kind.format === "CSV" ? text : `[${text}]`, kind, columns) : [];
  return { id, heads: columns.map((column) => column.name), own, rows: index.rows };
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

