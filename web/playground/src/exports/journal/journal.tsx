// The journal: the requests of clients, live, and the one that is open.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatTime } from "../../server/clock";
import { keepAsking } from "../../server/live";
import { counted, duration } from "../../ui/format";
import { Tick, walk } from "../../ui/parts";
import { Exchange } from "../exchange/exchange";
import { clear, lints, load, requests, trouble, type Lint, type Request } from "../exchange/log";
import { draftOfSent, restore } from "../request/draft";

const filter = signal("");
const ofPage = signal(false);
/** The sequence number of the request that is open; 0 for none. */
const open = signal(0);

const clients = computed(() => (requests.value ?? []).filter((one) => ofPage.value || !one.unjudged));
const shown = computed(() => {
  const words = filter.value.toLowerCase();
  return clients.value.filter((one) => words === "" || JSON.stringify(one).toLowerCase().includes(words));
});
const lintsOf = (one: Request): Lint[] => (lints.value ?? []).filter((lint) => lint.requests.includes(one.sequence));

/** The view of the journal. */
export function Journal() {
  useEffect(() => keepAsking(load), []);
  return (
    <div class="journal">
      <h1 class="hidden">What clients asked, and what they got</h1>
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
        <h2 id="requests-title">Requests</h2>
        <span class="tools">
          <input type="search" aria-label="Filter the requests" placeholder="Filter" value={filter.value} onInput={(e) => (filter.value = e.currentTarget.value)} />
          <button type="button" class="quiet" onClick={() => void clear()}>
            Clear
          </button>
        </span>
      </div>
      <Tick label="Show requests of this page" checked={ofPage.value} onChange={(on) => (ofPage.value = on)} />
      {requests.value === undefined ? (
        <p class="note">Loading …</p>
      ) : all.length === 0 ? (
        <p class="empty">{clients.value.length > 0 ? "No request matches." : "No requests of clients yet. Send one from a shell or from your own code."}</p>
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

function Row({ one, stop }: { one: Request; stop: boolean }) {
  const said = lintsOf(one);
  const failed = one.status >= 400 || one.status === 0;
  return (
    <li>
      <button type="button" class="request" tabIndex={stop ? 0 : -1} aria-pressed={open.value === one.sequence} onClick={() => (open.value = one.sequence)}>
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
          {said.length > 0 && <span class={`state ${said.some(({ severity }) => severity === "error") ? "error" : "warning"}`}>{counted(said.length, "lint")}</span>}
        </span>
        <span class="note took">{duration(one.duration_seconds * 1000)}</span>
      </button>
    </li>
  );
}

/** The panel beside the list: the open request, or, while none is, all lints. */
function Inspector() {
  const one = requests.value?.find(({ sequence }) => sequence === open.value);
  if (one) return <Opened key={one.sequence} one={one} />;
  return (
    <section class="card inspector" aria-labelledby="lints-title">
      <h2 id="lints-title">Lints</h2>
      {lints.value?.length === 0 && <p class="empty">No problems found. Select a request to see its details.</p>}
      <Lints all={lints.value ?? []} />
    </section>
  );
}

const Lints = ({ all }: { all: readonly Lint[] }) => (
  <ul class="lintlist" aria-label="Lints">
    {all.map((lint) => (
      <li key={`${lint.code} ${lint.key} ${lint.export}`} class={lint.severity}>
        <p>
          <strong>{lint.code.replaceAll("_", " ")}</strong> <span class={`state ${lint.severity}`}>{lint.severity}</span>
          {lint.count > 1 && <span class="note"> {lint.count} times</span>}
        </p>
        <p>{lint.message}</p>
        <p>Instead: {lint.advice}</p>
        <p class="note">{lint.rule}</p>
        <p class="note">
          Requests{" "}
          {lint.requests.map((n) => (
            <button key={n} type="button" class="inline" aria-label={`Request ${n}`} onClick={() => (open.value = n)}>
              {n}
            </button>
          ))}
        </p>
      </li>
    ))}
  </ul>
);

function Opened({ one }: { one: Request }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below the list, it is brought to the person who opened it.
    if (panel.current!.getBoundingClientRect().top > innerHeight / 2) panel.current!.scrollIntoView();
  }, []);
  const again = draftOfSent(one);
  return (
    <section class="card inspector" aria-labelledby="request-title" id="request" tabIndex={-1} ref={panel}>
      <div class="bar">
        <h2 id="request-title">Request {one.sequence}</h2>
        <span class="tools">
          {again && (
            <button
              type="button"
              class="secondary"
              onClick={() => {
                restore(again);
                location.hash = "#exports";
              }}
            >
              Edit and resend
            </button>
          )}
          <button type="button" class="quiet" onClick={() => (open.value = 0)}>
            Close
          </button>
        </span>
      </div>
      <Exchange one={one} />
      {one.export && (
        <p>
          <a href={`#exports/file/${one.export}`}>Open the export</a>
        </p>
      )}
      <Lints all={lintsOf(one)} />
    </section>
  );
}
