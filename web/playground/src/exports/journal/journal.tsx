// The journal as a timeline: the requests of clients, live, with the lives of the exports that they made.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatTime } from "../../server/clock";
import { counted } from "../../ui/format";
import { walk } from "../../ui/parts";
import { serverScenarios, Switches, useServerScenarios } from "../request/switches";
import { classOf, runs, type Run } from "../runs/runs";
import { Inspector, lintsOf, took } from "./inspector";
import { clear, connected, follow, load, open, requests, trouble, type Request } from "./log";

const filter = signal("");
const key = signal("");

const keys = computed(() => [...new Set((requests.value ?? []).flatMap((one) => one.key ?? []))].sort());
const shown = computed(() => {
  const words = filter.value.toLowerCase();
  return (requests.value ?? []).filter(
    (one) => (key.value === "" || one.key === key.value) && (words === "" || JSON.stringify(one).toLowerCase().includes(words)),
  );
});

/** The view of the journal. */
export function Journal() {
  useEffect(() => {
    void load();
    return follow();
  }, []);
  return (
    <div class="journal">
      <div class="intro">
        <h1>
          What clients asked, <span>and what they got.</span>
        </h1>
        <p>Every request to the export API, this page’s included, with the reason for its answer. Secrets are left out.</p>
      </div>
      {trouble.value && (
        <p class="refusal" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="checks">
        <Requests />
        {/* Not before them: on a narrow page it stands below, and would be moved. */}
        {requests.value && <Inspector />}
      </div>
    </div>
  );
}

function Requests() {
  const all = shown.value;
  const stop = all.some(({ sequence }) => sequence === open.value) ? open.value : all[0]?.sequence;
  const span = spanOf(all);
  return (
    <section class="card requests" aria-labelledby="requests-title">
      <div class="bar">
        <h2 id="requests-title">
          Requests <span class={`pill ${connected.value ? "live" : ""}`}>{connected.value ? "live" : "not live"}</span>
        </h2>
        <span class="tools">
          <input
            type="search"
            aria-label="Filter the requests"
            placeholder="Filter"
            value={filter.value}
            onInput={(e) => (filter.value = e.currentTarget.value)}
          />
          <select aria-label="Key" value={key.value} onChange={(e) => (key.value = e.currentTarget.value)}>
            <option value="">All keys</option>
            {keys.value.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <button type="button" class="quiet" onClick={() => void clear()}>
            Clear
          </button>
        </span>
      </div>
      <OnServer />
      {requests.value === undefined ? (
        <p class="note">Loading …</p>
      ) : all.length === 0 ? (
        <p class="empty">
          {requests.value.length === 0 ? <>No requests yet. <a href="#exports">Make an export</a>, or send a request from a shell.</> : "No request matches."}
        </p>
      ) : (
        <ol class="requestlist" aria-label="Requests, newest first" onKeyDown={(e) => walk(e, ".request")}>
          {all.map((one) => (
            <Row key={one.sequence} one={one} span={span} stop={one.sequence === stop} />
          ))}
        </ol>
      )}
    </section>
  );
}

// Its line is there without one, too: the timeline does not move when another client sets it.
function OnServer() {
  useServerScenarios(true);
  return (
    <div class="levers">
      <span class="note">Scenarios on the server{serverScenarios.value.length === 0 && <>: none. <a href="#exports">Set one</a> beside a request.</>}</span>
      <Switches />
    </div>
  );
}

type Span = readonly [from: number, to: number];

/** From the first request to the last one that is shown; exports may end later, and are cut off there. */
function spanOf(all: readonly Request[]): Span {
  const from = Date.parse(all.at(-1)?.time ?? "");
  const last = all[0];
  return [from, Math.max(from + 1000, last ? Date.parse(last.time) + last.duration_seconds * 1000 : from)];
}

function Row({ one, span, stop }: { one: Request; span: Span; stop: boolean }) {
  const said = lintsOf(one);
  const failed = one.status >= 400 || one.status === 0;
  const run = one.method === "POST" ? runs.value?.find(({ id }) => id === one.export) : undefined;
  return (
    <li>
      <button
        type="button"
        class="request"
        tabIndex={stop ? 0 : -1}
        aria-pressed={open.value === one.sequence}
        onClick={() => (open.value = one.sequence)}
      >
        <time class="note" dateTime={one.time}>
          {formatTime(new Date(one.time)).slice(11)}
        </time>
        <span class={`state ${failed ? "ERROR" : "SUCCESS"}`}>{one.status || "reset"}</span>
        <code>
          {one.method} {one.path}
        </code>
        <span class="marks">
          {one.applied?.map(({ scenario }) => (
            <span key={scenario} class="pill">
              {scenario}
            </span>
          ))}
          {said.length > 0 && (
            <span class={`state ${said.some(({ severity }) => severity === "error") ? "error" : "warning"}`}>
              {counted(said.length, "lint")}
            </span>
          )}
        </span>
        <span class="note took">{took(one)}</span>
        <Lane one={one} run={run} span={span} />
      </button>
    </li>
  );
}

// When it was, within what is shown; and for a request that made an export, the life of that export.
function Lane({ one, run, span: [from, to] }: { one: Request; run: Run | undefined; span: Span }) {
  const at = (time: number): number => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));
  const place = (start: number, end: number) => ({ left: `${at(start)}%`, width: `${at(end) - at(start)}%` });
  const start = Date.parse(one.time);
  return (
    <span class="lane" aria-hidden="true">
      {run && <i class={`alive ${classOf(run)}`} style={place(start, Date.parse(run.completed_at ?? "") || to)} />}
      <i style={place(start, start + one.duration_seconds * 1000)} />
    </span>
  );
}
