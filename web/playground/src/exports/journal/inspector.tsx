// One request, opened: what was decided and why, what the lints say of it, its export, and the same request once more.

import { useEffect, useRef } from "preact/hooks";
import { formatTime } from "../../server/clock";
import { classOf, runs } from "../runs/runs";
import { Again } from "./again";
import { lints, open, requests, type Lint, type Request } from "./log";

/** The panel beside the timeline: the open request, or, while none is, all that the lints say. */
export function Inspector() {
  const one = requests.value?.find(({ sequence }) => sequence === open.value);
  return one ? <Opened key={one.sequence} one={one} /> : <AllLints />;
}

function AllLints() {
  const all = lints.value;
  return (
    <section class="card inspector" aria-labelledby="lints-title">
      <h2 id="lints-title">Lints</h2>
      {all === undefined ? (
        <p class="note">Loading …</p>
      ) : all.length === 0 ? (
        <p class="empty">No problems found. Select a request to see its details.</p>
      ) : (
        <Lints all={all} />
      )}
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

/** The lints on a request. */
export const lintsOf = (one: Request): Lint[] => (lints.value ?? []).filter((lint) => lint.requests.includes(one.sequence));

function Opened({ one }: { one: Request }) {
  const said = lintsOf(one);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the panel stands below the timeline, what was opened is brought to whoever opened it.
    if (panel.current!.getBoundingClientRect().top > innerHeight / 2) panel.current!.scrollIntoView();
  }, []);
  const run = runs.value?.find(({ id }) => id === one.export);
  return (
    <section class="card inspector" aria-labelledby="request-title" id="request" tabIndex={-1} ref={panel}>
      <div class="bar">
        <h2 id="request-title">Request {one.sequence}</h2>
        <button type="button" class="quiet" onClick={() => (open.value = 0)}>
          Close
        </button>
      </div>
      <p class="why">{one.reason}</p>
      {/* Above what differs from request to request: the button stays where it is when the next one opens. */}
      {one.interface && <Again one={one} />}
      {said.length > 0 && <Lints all={said} />}
      <dl class="facts">
        <Fact name="Time" value={`${formatTime(new Date(one.time))} UTC, server clock`} />
        <Fact name="Duration" value={`${took(one)}${one.open ? ", still open" : ""}`} />
        <Fact name="Response" value={`${one.status || "connection reset"}, ${one.response_bytes.toLocaleString("en")} bytes`} />
        <Fact name="Client" value={one.user_agent} />
        <Fact name="Key" value={one.key} />
        <Fact name="Error" value={one.error && `${one.error.name}: ${one.error.message}`} />
        <Fact name="Scenarios" value={one.applied?.map(({ source, scenario }) => `${scenario} (${source})`).join("; ")} />
      </dl>
      {run && (
        <p>
          Export <a href={`#exports/file/${run.id}`}>{run.kind}</a> <span class={`state ${classOf(run)}`}>{run.status}</span>
        </p>
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

/** How long a request took. */
export const took = ({ duration_seconds: seconds }: Request): string =>
  seconds < 0.00005 ? "< 0.1 ms" : seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
