// The journal: what clients asked, what was decided and why, and what the lints say about how they go about it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, reason } from "../../server/client";
import { formatTime } from "../../server/clock";
import { stream } from "../../server/events";

interface Request {
  sequence: number;
  request_id: string;
  time: string;
  duration_seconds: number;
  method: string;
  path: string;
  query?: string;
  route?: string;
  key?: string;
  user_agent?: string;
  body?: string;
  status: number;
  response_bytes: number;
  error?: { name: string; message: string };
  applied?: { source: string; scenario: string }[];
  export?: string;
  openRequest?: boolean;
  reason: string;
}

interface Page {
  requests: Request[];
  next_since: number;
  has_more: boolean;
  dropped: number;
}

interface Lint {
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

const mostRequests = 500;
const requests = signal<readonly Request[] | undefined>(undefined);
const lints = signal<readonly Lint[] | undefined>(undefined);
const trouble = signal("");
const connected = signal(false);
const filter = signal("");
const open = signal(0);

/** Takes what is new into the list, the newest first; a download that was open is replaced when it ends. */
function merge(fresh: readonly Request[]): void {
  const known = new Map((requests.value ?? []).map((one) => [one.sequence, one]));
  for (const one of fresh) known.set(one.sequence, one);
  requests.value = [...known.values()].sort((a, b) => b.sequence - a.sequence).slice(0, mostRequests);
}

async function load(): Promise<void> {
  try {
    requests.value = undefined;
    for (let since = 0, pages = 0; pages < 100; pages++) {
      const page = await get<Page>(`/_mock/journal?limit=1000&since=${since}`);
      merge(page.requests);
      since = page.next_since;
      if (!page.has_more) break;
    }
    trouble.value = "";
  } catch (error) {
    requests.value ??= [];
    trouble.value = reason(error);
  }
}

async function refreshLints(): Promise<void> {
  try {
    lints.value = (await get<{ lints: Lint[] }>("/_mock/lints")).lints;
  } catch (error) {
    trouble.value = reason(error);
  }
}

async function clear(): Promise<void> {
  try {
    await get("/_mock/journal", { method: "DELETE" });
    requests.value = [];
    await refreshLints();
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Follows the journal as it is written. */
function follow(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onEvent = (type: string, data: string): void => {
    if (type !== "request") return; // a sign of life
    merge([JSON.parse(data) as Request]);
    clearTimeout(timer);
    timer = setTimeout(() => void refreshLints(), 400);
  };
  const stop = stream("/_mock/journal/events?limit=0", { event: onEvent, live: (open) => (connected.value = open) });
  return () => {
    clearTimeout(timer);
    stop();
    connected.value = false;
  };
}

/** The view of the journal. */
export function Journal() {
  useEffect(() => {
    void load();
    void refreshLints();
    return follow();
  }, []);
  return (
    <div class="journal">
      <div class="intro brief">
        <h1>
          What clients did, <span>and what they should not.</span>
        </h1>
        <p>Every request to the export API, this page’s among them, with what was decided and why. Secrets are left out.</p>
      </div>
      {trouble.value && (
        <p class="refusal" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="checks">
        <Lints />
        <Requests />
      </div>
    </div>
  );
}

function Lints() {
  const all = lints.value;
  return (
    <section class="card lints" aria-labelledby="lints-title">
      <h2 id="lints-title">Lints</h2>
      {all === undefined ? (
        <p class="note">Asking …</p>
      ) : all.length === 0 ? (
        <p class="empty">Nothing to say against the clients so far.</p>
      ) : (
        <ul class="lintlist">
          {all.map((lint) => (
            <li key={`${lint.code} ${lint.key} ${lint.export}`} class={lint.severity}>
              <p>
                <strong>{lint.code.replaceAll("_", " ")}</strong> <span class={`state ${lint.severity}`}>{lint.severity}</span>
                {lint.count > 1 && <span class="note"> {lint.count} times</span>}
              </p>
              <p>{lint.message}</p>
              <p class="note">{lint.rule}</p>
              <p class="note">Instead: {lint.advice}</p>
              <p class="note">
                {lint.key && <code>{lint.key}</code>} requests{" "}
                {lint.requests.map((n) => (
                  <button key={n} type="button" class="inline" onClick={() => (open.value = n)}>
                    {n}
                  </button>
                ))}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Requests() {
  const words = filter.value.toLowerCase();
  const all = (requests.value ?? []).filter((one) => words === "" || JSON.stringify(one).toLowerCase().includes(words));
  return (
    <section class="card requests" aria-labelledby="requests-title">
      <div class="bar">
        <h2 id="requests-title">
          Requests <span class={`pill ${connected.value ? "live" : ""}`}>{connected.value ? "live" : "not live"}</span>
        </h2>
        <span class="tools">
          <button type="button" class="quiet" onClick={() => void load()}>
            Read again
          </button>
          <button type="button" class="quiet" onClick={() => void clear()}>
            Clear
          </button>
        </span>
      </div>
      <label class="field">
        <span class="hidden">Filter the requests</span>
        <input type="search" placeholder="Filter" value={filter.value} onInput={(e) => (filter.value = e.currentTarget.value)} />
      </label>
      {requests.value === undefined ? (
        <p class="note">Reading …</p>
      ) : all.length === 0 ? (
        <p class="empty">{words === "" ? "No requests yet. Send one from “Make and watch”, or from a shell." : "No request holds this."}</p>
      ) : (
        <ol class="requestlist" tabIndex={0} aria-label="Requests, newest first">
          {all.map((one) => (
            <li key={one.sequence}>
              <details open={open.value === one.sequence}>
                <summary>
                  <span class="note">{one.sequence}</span>{" "}
                  <span class={`state ${one.status >= 400 || one.status === 0 ? "ERROR" : "SUCCESS"}`}>{one.status || "reset"}</span>{" "}
                  <code>
                    {one.method} {one.path}
                  </code>
                </summary>
                <p>{one.reason}</p>
                <dl>
                  <Fact name="time" value={`${formatTime(new Date(one.time))} UTC by the clock of the server`} />
                  <Fact name="took" value={`${(one.duration_seconds * 1000).toFixed(1)} ms${one.openRequest ? ", still going on" : ""}`} />
                  <Fact name="query" value={one.query} />
                  <Fact name="key" value={one.key} />
                  <Fact name="export" value={one.export} />
                  <Fact name="refused" value={one.error && `${one.error.name}: ${one.error.message}`} />
                  <Fact name="scenarios" value={one.applied?.map(({ source, scenario }) => `${scenario} (${source})`).join("; ")} />
                  <Fact name="client" value={one.user_agent} />
                  <Fact name="payload" value={one.body} />
                </dl>
              </details>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const Fact = ({ name, value }: { name: string; value: string | undefined }) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  ) : null;
