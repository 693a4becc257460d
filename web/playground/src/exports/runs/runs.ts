// The exports that were made: their list, and the one that is looked at. What the list says comes from the server's own view, which
// moves nothing; the one that is looked at is also looked up as a client would, which may.

import { computed, signal } from "@preact/signals";
import { kinds, lookups } from "virtual:exports";
import { announcement } from "../../sessions/log";
import { ask } from "../../server/clock";
import { credentials, fill, identity, obstacle, prepared } from "../request/draft";
import { get, post, reason, Refusal, send } from "../../server/client";

/** The states of an export. */
export type Status = "CREATED" | "PENDING" | "SUCCESS" | "ERROR";

/** An export as the server's own view shows it. */
export interface Run {
  id: string;
  kind: string;
  interface: "legacy" | "profiles";
  uri: string;
  status: Status;
  created_at: string;
  started_at?: string;
  completed_at?: string;
  file_expires_at?: string;
  error_message?: string;
  progress: string;
  polls: number;
  request: Record<string, unknown>;
  file: { api_key?: string; target?: string; max_rows?: number };
}

/** The list, newest first; none until it was asked for. */
export const runs = signal<readonly Run[] | undefined>(undefined);
/** Where the list goes on; "" where it ends. */
export const more = signal("");
/** What went wrong with the list. */
export const trouble = signal("");
/** The identifier of the export that is looked at. */
export const selected = signal("");
/** The export that is looked at. */
export const run = computed(() => runs.value?.find((one) => one.id === selected.value));
/** The last answer to sending: accepted, refused, or on its way. */
export const answer = signal<
  { state: "none" } | { state: "sending" } | { state: "accepted"; status: number; body: string } | { state: "refused"; error: Error }
>({ state: "none" });
/** Counts the requests that were accepted. */
export const sent = signal(0);
/** What the client's own lookup said last of each export, as it came. */
export const told = signal<ReadonlyMap<string, { text: string; refused: boolean }>>(new Map());

/** Whether an export can still change. */
export const unfinished = ({ status }: Run): boolean => status === "CREATED" || status === "PENDING";

interface Page {
  exports: Run[];
  next_from?: string;
}

/** Asks for the newest exports. */
export async function refresh(): Promise<void> {
  try {
    const page = await get<Page>("/_mock/exports?limit=50");
    const known = new Set(page.exports.map((one) => one.id));
    const kept = page.next_from ? (runs.value ?? []).filter((one) => !known.has(one.id)) : [];
    if (kept.length === 0) more.value = page.next_from ?? "";
    runs.value = [...page.exports, ...kept];
    trouble.value = "";
    if (selected.value && !run.value) await include(selected.value);
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Asks for older exports. */
export async function older(): Promise<void> {
  try {
    const page = await get<Page>(`/_mock/exports?limit=200&from=${encodeURIComponent(more.value)}`);
    const known = new Set((runs.value ?? []).map((one) => one.id));
    runs.value = [...(runs.value ?? []), ...page.exports.filter((one) => !known.has(one.id))];
    more.value = page.next_from ?? "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

// A link may name an export that is further down the list.
async function include(id: string): Promise<void> {
  try {
    const found = await get<Run>(`/_mock/exports/${encodeURIComponent(id)}`);
    runs.value = [...(runs.value ?? []), found];
  } catch (error) {
    if (error instanceof Refusal) trouble.value = `There is no export ${id} here: the state may have been reset.`;
    else throw error;
  }
}

/** Sends the request that is set up, and looks at what it made. */
export async function submit(): Promise<void> {
  if (obstacle.value) return;
  const { method, path, headers, body } = prepared.value;
  answer.value = { state: "sending" };
  try {
    const response = await send(path, { method, headers: Object.fromEntries(headers), body });
    const text = await response.text();
    const { requestId, id } = JSON.parse(text) as { requestId?: string; id?: string };
    answer.value = { state: "accepted", status: response.status, body: text };
    announcement.value = "The export was accepted.";
    selected.value = requestId ?? id ?? "";
    await refresh();
    sent.value++;
  } catch (error) {
    answer.value = { state: "refused", error: error instanceof Error ? error : new Error(String(error)) };
    announcement.value = `Refused: ${reason(error)}`;
  }
}

/** The request with which a client looks an export up. */
export function lookup(of: Run): { path: string; headers: (readonly [string, string])[] } {
  const headers = identity(of);
  if (of.interface === "profiles") return { path: `${lookups["profiles.view"]}?id=${encodeURIComponent(of.id)}`, headers };
  const api_key = decodeURIComponent(of.uri.split("/")[2] ?? "");
  return { path: fill(lookups["legacy.status"] ?? "", { api_key, request_id: of.id }), headers };
}

/** Looks an export up as a client would: one that goes by lookups moves. */
export async function look(of: Run): Promise<void> {
  void credentials.value;
  const { path, headers } = lookup(of);
  try {
    const response = await send(path, { headers: Object.fromEntries(headers) });
    hear(of.id, await response.text(), false);
  } catch (error) {
    if (error instanceof Refusal) hear(of.id, error.body, true);
  }
  await update(of.id);
}

function hear(id: string, text: string, refused: boolean): void {
  told.value = new Map(told.value).set(id, { text: pretty(text), refused });
}

/** Asks for one export again. */
export async function update(id: string): Promise<void> {
  try {
    const fresh = await get<Run>(`/_mock/exports/${encodeURIComponent(id)}`);
    const before = runs.value?.find((one) => one.id === id);
    if (before && before.status !== fresh.status) announcement.value = `The export is ${fresh.status}.`;
    runs.value = (runs.value ?? []).map((one) => (one.id === id ? fresh : one));
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Moves an export by hand. */
export async function move(id: string, action: "step" | "finish" | "fail"): Promise<void> {
  try {
    await post(`/_mock/exports/${encodeURIComponent(id)}`, { action });
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
  await update(id);
  await ask();
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The title of a kind. */
export const titleOf = (name: string): string => {
  const kind = kinds.find((one) => one.kind === name);
  if (!kind) return name;
  return kind.interface === "profiles" ? kind.title : kind.title + suffix(name);
};
const suffix = (name: string): string => (/\.ids$/.test(name) ? ", recipients" : /\.events$/.test(name) ? ", events" : "");
