// The journal as the server writes it: what clients asked, what was decided and why, and the lints on how they go about it.

import { signal } from "@preact/signals";
import { get, reason, Refusal, send } from "../../server/client";
import { stream } from "../../server/events";
import { refresh } from "../runs/runs";

/** A request as the journal keeps it, without secrets. */
export interface Request {
  sequence: number;
  time: string;
  duration_seconds: number;
  method: string;
  path: string;
  query?: string;
  interface?: string;
  key?: string;
  user_agent?: string;
  body?: string;
  status: number;
  response_bytes: number;
  error?: { name: string; message: string };
  applied?: { source: string; scenario: string }[];
  export?: string;
  open?: boolean;
  reason: string;
}

/** What a lint says, and of which requests. */
export interface Lint {
  code: string;
  severity: "error" | "warning";
  rule: string;
  advice: string;
  key?: string;
  export?: string;
  message: string;
  count: number;
  requests: number[];
}

interface Page {
  requests: Request[];
  next_since: number;
  has_more: boolean;
}

const mostRequests = 500;
/** The requests, the newest first; none until they were read. */
export const requests = signal<readonly Request[] | undefined>(undefined);
/** What the lints say; nothing until they were asked. */
export const lints = signal<readonly Lint[] | undefined>(undefined);
/** What went wrong with the journal. */
export const trouble = signal("");
/** Whether the journal is followed as it is written. */
export const connected = signal(false);
/** The sequence number of the request that is open; 0 for none. */
export const open = signal(0);

// The request that this page sent again is opened when the journal has it.
let expected: Pick<Request, "method" | "path"> | undefined;

/** Takes what is new into the list; a download that was open is replaced when it ends. */
function merge(fresh: readonly Request[]): void {
  const known = new Map((requests.value ?? []).map((one) => [one.sequence, one]));
  for (const one of fresh) known.set(one.sequence, one);
  requests.value = [...known.values()].sort((a, b) => b.sequence - a.sequence).slice(0, mostRequests);
}

async function attempt(doing: () => Promise<unknown>): Promise<void> {
  try {
    await doing();
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Reads the whole journal, and what is said of it. */
export const load = (): Promise<void> =>
  attempt(async () => {
    for (let since = 0, pages = 0; pages < 100; pages++) {
      const page = await get<Page>(`/_mock/journal?limit=1000&since=${since}`);
      merge(page.requests);
      since = page.next_since;
      if (!page.has_more) break;
    }
    await judge();
  }).finally(() => (requests.value ??= []));

async function judge(): Promise<void> {
  lints.value = (await get<{ lints: Lint[] }>("/_mock/lints")).lints;
  await refresh();
}

/** Empties the journal. */
export const clear = (): Promise<void> =>
  attempt(async () => {
    await get("/_mock/journal", { method: "DELETE" });
    requests.value = [];
    open.value = 0;
    await judge();
  });

/** Follows the journal as it is written, until the returned function is called. */
export function follow(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const event = (type: string, data: string): void => {
    if (type !== "request") return; // a sign of life
    const one = JSON.parse(data) as Request;
    merge([one]);
    if (expected?.method === one.method && expected.path === one.path) {
      open.value = one.sequence;
      expected = undefined;
    }
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(judge), 400);
  };
  const stop = stream("/_mock/journal/events?limit=0", { event, live: (open) => (connected.value = open) });
  return () => {
    clearTimeout(timer);
    stop();
    connected.value = false;
  };
}

/** Sends a request, and opens it when the journal has it. A refusal is an answer. */
export async function sendAgain(method: string, target: string, headers: Headers, body: string): Promise<void> {
  expected = { method, path: new URL(target, location.origin).pathname };
  try {
    await send(target, { method, headers, ...(body !== "" && { body }) });
  } catch (error) {
    if (!(error instanceof Refusal)) trouble.value = reason(error);
  }
}
