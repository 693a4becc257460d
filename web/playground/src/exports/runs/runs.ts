// The exports that were made: their list, and the selected one. The list comes from the control API, which moves nothing; the selected
// export is also looked up as a client would, which may.

import { computed, signal } from "@preact/signals";
import { announcement } from "../../core/announcement";
import { pretty } from "../../core/json";
import { get, post, reason, Refusal, send } from "../../server/client";
import { authHeaders } from "../api/credentials";
import { catalog, fillPath, parametersOf, spokenBy, type Role } from "../api/kinds";

/** An export as the control API shows it. */
export interface Run {
  id: string;
  kind: string;
  interface: string;
  /** The application or project key that made it. */
  owner: string;
  /** What its interface calls its state. */
  status: string;
  created_at: string;
  started_at?: string;
  completed_at?: string;
  file_expires_at?: string;
  error_message?: string;
  progress: string;
  request: Record<string, unknown>;
  file: { api_key?: string; target?: string; max_rows?: number };
}

/** The list, newest first; none until it was asked for. */
export const runs = signal<readonly Run[] | undefined>(undefined);
/** What went wrong with the list. */
export const trouble = signal("");
/** The identifier of the selected export. */
export const selectedId = signal("");
/** The selected export. */
export const selectedRun = computed(() => runs.value?.find((one) => one.id === selectedId.value));
/** The exports that views make for answers of their own, such as *Taps*: a group of their own in the list. */
export const probes = signal<ReadonlySet<string>>(new Set());
/** The last answer to a client's lookup of each export, as it came. */
export const lookupAnswers = signal<ReadonlyMap<string, { text: string; refused: boolean }>>(new Map());

/** Whether an export can still change. */
export const unfinished = (run: Run): boolean => ["waiting", "running"].includes(roleOf(run));

/** What the state of an export means. */
export const roleOf = (run: Run): Role => spokenBy(run.interface)?.states.find(({ name }) => name === run.status)?.role ?? "waiting";

/** The class of an export by the meaning of its state, in the words of the style sheet. */
export const classOf = (run: Run): string =>
  ({ waiting: "CREATED", running: "PENDING", done: "SUCCESS", failed: "ERROR", expired: "ERROR" })[roleOf(run)];

/** Asks for the newest exports. */
export async function refresh(): Promise<void> {
  try {
    const { exports: newest } = await get<{ exports: Run[] }>("/_mock/exports?limit=200");
    const opened = selectedRun.peek();
    runs.value = opened && !newest.some(({ id }) => id === opened.id) ? [...newest, opened] : newest;
    trouble.value = "";
    const status = selectedRun.value?.status;
    if (opened && opened.id === selectedRun.value?.id && opened.status !== status) announcement.value = `The export is ${status}.`;
    if (selectedId.value && !selectedRun.value) await include(selectedId.value);
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Selects an export that was just made. */
export async function selectCreated(id: string): Promise<void> {
  selectedId.value = id;
  await refresh();
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

/** The request with which a client looks an export up. */
export function lookupRequest(of: Run): { path: string; headers: (readonly [string, string])[] } {
  const headers = authHeaders(of);
  const lookup = catalog.value.lookups[of.interface];
  if (!lookup) return { path: "", headers };
  const { path, identifier, inQuery } = lookup;
  if (inQuery) return { path: `${path}?${identifier}=${encodeURIComponent(of.id)}`, headers };
  const values = parametersOf(path).map((name): [string, string] => [name, name === identifier ? of.id : of.owner]);
  return { path: fillPath(path, Object.fromEntries(values)), headers };
}

/** Looks an export up as a client would: one that goes by lookups moves. */
export async function lookUp(of: Run): Promise<void> {
  const { path, headers } = lookupRequest(of);
  if (!path) return refresh(); // its file was the answer
  try {
    const response = await send(path, { headers: Object.fromEntries(headers) });
    keepAnswer(of.id, await response.text(), false);
  } catch (error) {
    if (error instanceof Refusal) keepAnswer(of.id, error.body, true);
  }
  await refresh();
}

function keepAnswer(id: string, text: string, refused: boolean): void {
  lookupAnswers.value = new Map(lookupAnswers.value).set(id, { text: pretty(text), refused });
}

/** Moves an export to its next state, or to its end. */
export async function move(id: string, action: "step" | "finish" | "fail"): Promise<void> {
  try {
    await post(`/_mock/exports/${encodeURIComponent(id)}`, { action });
  } catch (error) {
    trouble.value = reason(error);
  }
  await refresh();
}
