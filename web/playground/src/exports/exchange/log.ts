// The journal as the server writes it: what clients asked, what was decided and why, and the lints on how they go about it.

import { signal } from "@preact/signals";
import { get, reason } from "../../server/client";

/** A request as the journal keeps it, without secrets. */
export interface Request {
  sequence: number;
  request_id: string;
  time: string;
  duration_seconds: number;
  method: string;
  path: string;
  query?: string;
  key?: string;
  credentials?: string[];
  user_agent?: string;
  body?: string;
  status: number;
  response_bytes: number;
  retry_after_seconds?: number;
  error?: { name: string; message: string };
  applied?: { source: string; scenario: string }[];
  kind?: string;
  export?: string;
  open?: boolean;
  /** Whether a person sent it, by a page of the server: no lint is about it. */
  unjudged?: boolean;
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

/** How many of the newest requests are asked for again: a download may have ended. */
const again = 50;

/** Reads what is new in the journal, and the lints about it. */
export const load = (): Promise<void> =>
  attempt(async () => {
    const newest = requests.value?.[0];
    for (let since = Math.max(0, (newest?.sequence ?? 0) - again); ; ) {
      const page = await get<Page>(`/_mock/journal?limit=1000&since=${since}`);
      merge(page.requests);
      since = page.next_since;
      if (!page.has_more) break;
    }
    if (lints.value === undefined || requests.value?.[0]?.sequence !== newest?.sequence) lints.value = (await get<{ lints: Lint[] }>("/_mock/lints")).lints;
  }).finally(() => (requests.value ??= []));

/** Empties the journal. */
export const clear = (): Promise<void> =>
  attempt(async () => {
    await get("/_mock/journal", { method: "DELETE" });
    requests.value = [];
    lints.value = undefined;
  }).then(load);

/** The request that an answer was for, as the journal recorded it. */
export async function recorded(requestId: string, status: number): Promise<Request | undefined> {
  const { requests } = await get<Page>(`/_mock/journal?limit=0&status=${status}`);
  return requests.findLast((one) => one.request_id === requestId);
}
