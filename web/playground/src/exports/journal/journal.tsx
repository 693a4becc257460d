// The journal: the requests of clients, live.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatTime } from "../../server/clock";
import { counted } from "../../ui/format";
import { walk } from "../../ui/parts";
import { OnServer, serverScenarios, useServerScenarios } from "../request/onserver";
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
      <Scenarios />
      {requests.value === undefined ? (
        <p class="note">Loading …</p>
      ) : all.length === 0 ? (
        <p class="empty">
          {requests.value.length === 0 ? <>No requests yet. <a href="#exports">Make an export</a>, or send a request from a shell.</> : "No request matches."}
        </p>
      ) : (
        <ol class="requestlist" aria-label="Requests, newest first" onKeyDown={(e) => walk(e, ".request")}>
          {all.map((one) => (
            <Row key={one.sequence} one={one} stop={one.sequence === stop} />
          ))}
        </ol>
      )}
    </section>
  );
}

// Its line is there without one, too: the requests do not move when another client sets it.
function Scenarios() {
  useServerScenarios(true);
  return (
    <div class="levers">
      <span class="note">Scenarios on the server{serverScenarios.value.length === 0 && <>: none. <a href="#exports">Set one</a> beside a request.</>}</span>
      <OnServer />
    </div>
  );
}

function Row({ one, stop }: { one: Request; stop: boolean }) {
  const said = lintsOf(one);
  const failed = one.status >= 400 || one.status === 0;
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
      </button>
    </li>
  );
}
