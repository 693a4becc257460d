// What came of a request: the answer, the states of its export by the server's clock, the answer to a lookup, and the file.

import { useEffect, useState } from "preact/hooks";
import { pretty } from "../../core/json";
import { curl } from "../../core/request";
import { server } from "../../server/address";
import { reachable, reason } from "../../server/client";
import { formatTime } from "../../server/clock";
import { tokenWanted } from "../../server/token";
import { Command } from "../../ui/command";
import { CopyButton } from "../../ui/parts";
import { statesOf } from "../api/kinds";
import { Exchange } from "../exchange/exchange";
import { recorded, type Request } from "../exchange/log";
import { FilePanel } from "../file/filepanel";
import { draftOf, restore } from "../request/draft";
import { submission, type Answer } from "../request/submit";
import { classOf, lookUp, lookupAnswers, lookupRequest, move, probes, roleOf, runs, selectedId, selectedRun, trouble, unfinished, type Run } from "../runs/runs";

function repeat(run: Run): void {
  restore(draftOf(run));
  document.getElementById("compose")?.focus();
}

/** The two regions beside the request. */
export function Result() {
  const run = selectedRun.value;
  const sent = submission.value;
  useEffect(() => {
    // Below the form, the answer is brought to the person who sent the request.
    const panel = document.getElementById("result")!;
    if (sent.state !== "none" && panel.getBoundingClientRect().top > innerHeight / 2) panel.scrollIntoView({ block: "start" });
  }, [sent.state]);
  const done = run && roleOf(run) === "done";
  return (
    <div class="outcome">
      <section class="result card" id="result" tabIndex={-1} aria-labelledby="result-title">
        <div class="bar">
          <h2 id="result-title">Result</h2>
          <Exports />
          {run && (
            <span class="tools">
              <button type="button" class="quiet" onClick={() => repeat(run)}>
                Use as request
              </button>
              <CopyButton text={() => `${location.origin}${location.pathname}#exports/file/${run.id}`} what="The link to this export">
                Copy link
              </CopyButton>
            </span>
          )}
        </div>
        {sent.state === "failed" && (
          <p class="answer bad" role="status">
            <strong>No answer</strong> {sent.why}
          </p>
        )}
        {sent.state === "answered" && sent.export === selectedId.value && <Answered key={sent.body} sent={sent} />}
        {run && <Watched key={run.id} now={run} />}
      </section>
      {done && (
        <section class="card" aria-label="File">
          <FilePanel
            key={run.id}
            id={run.id}
            kind={run.kind}
            request={run.request}
            until={run.file_expires_at === undefined ? undefined : new Date(run.file_expires_at)}
            lookup={lookupAnswers.value.get(run.id)}
            renew={() => lookUp(run)}
            repeat={() => repeat(run)}
          />
        </section>
      )}
    </div>
  );
}

/** The exports that were made, newest first. Those that views made for answers of their own stand apart. */
function Exports() {
  if (runs.value === undefined) return <p class="note">{tokenWanted.value ? "Hidden until the control token is entered." : !trouble.value && "Asking the server …"}</p>;
  if (trouble.value && reachable.value) return <p class="refusal">{trouble.value}</p>;
  if (runs.value.length === 0) return <p class="empty">None yet. Send the request, or run it with curl: the export appears here.</p>;
  const option = (run: Run) => (
    <option key={run.id} value={run.id}>
      {formatTime(new Date(run.created_at)).slice(5)} {run.kind} {run.status}
    </option>
  );
  const [own, others] = [runs.value.filter(({ id }) => !probes.value.has(id)), runs.value.filter(({ id }) => probes.value.has(id))];
  return (
    <select class="runs" aria-label="Export" value={selectedId.value} onChange={(e) => (selectedId.value = e.currentTarget.value)}>
      {!selectedRun.value && <option value={selectedId.value}>Choose an export …</option>}
      {own.map(option)}
      {others.length > 0 && <optgroup label="Made by other views of this page">{others.map(option)}</optgroup>}
    </select>
  );
}

/** The answer to the request as it came, and the exchange as the server recorded it. */
function Answered({ sent }: { sent: Answer }) {
  const [exchange, show] = useState<Request | string>("Asking the journal …");
  const load = (): void =>
    void recorded(sent.headers.get("x-request-id") ?? "", sent.status).then(
      (found) => show(found ?? "The journal does not have it."),
      (error: unknown) => show(reason(error)),
    );
  const retry = sent.headers.get("retry-after");
  return (
    <div class={`answer ${sent.status < 400 ? "good" : "bad"}`} role="status">
      <p>
        <strong>
          {sent.status} {sent.code}
        </strong>{" "}
        {sent.message}
        {retry && <strong> Retry-After: {retry}</strong>}
      </p>
      <details class="fold" onToggle={(e) => e.currentTarget.open && load()}>
        <summary>Headers, body, and the request as recorded</summary>
        <pre class="record" tabIndex={0} aria-label="Headers and body of the answer">
          {[...sent.headers].map(([name, value]) => `${name}: ${value}\n`)}
          {"\n"}
          {pretty(sent.body).slice(0, 100_000)}
        </pre>
        {typeof exchange === "object" ? <Exchange one={exchange} /> : <p class="note">{exchange}</p>}
      </details>
    </div>
  );
}

const levers = { step: "Step", finish: "Finish", fail: "Fail" } as const;

function Watched({ now }: { now: Run }) {
  const going = unfinished(now);
  useEffect(() => {
    if (!going) {
      const seen = lookupAnswers.peek().get(now.id)?.text ?? "";
      const ends = statesOf(now.interface, "done", "failed", "expired");
      if (!ends.some((end) => seen.includes(`"${end}"`))) void lookUp(now); // the final state is read once, as a client should
      return;
    }
    if (!now.progress.startsWith("polls")) return;
    const timer = setInterval(() => void lookUp(now), 2000); // lookups move it
    return () => clearInterval(timer);
  }, [now.id, going]);
  return (
    <>
      <States now={now} />
      {going && (
        <div class="levers">
          <span class="note">{now.progress === "manual" ? "Waiting for you." : `Proceeds by ${progressWords(now.progress)}.`}</span>
          {Object.entries(levers).map(([action, label]) => (
            <button key={action} type="button" class="secondary" onClick={() => void move(now.id, action as keyof typeof levers)}>
              {label}
            </button>
          ))}
        </div>
      )}
      {roleOf(now) === "failed" && <p class="answer bad">{now.error_message}</p>}
      <Lookup now={now} />
    </>
  );
}

function States({ now }: { now: Run }) {
  const role = roleOf(now);
  const end = role === "failed" || role === "expired" ? role : "done";
  const steps = [...statesOf(now.interface, "waiting", "running"), ...statesOf(now.interface, end)];
  const at = steps.indexOf(now.status);
  const times = steps.map((_, i) => (i === 0 ? now.created_at : i === 1 ? now.started_at : i === steps.length - 1 ? now.completed_at : undefined));
  return (
    <ol class="states" aria-label="States">
      {steps.map((step, i) => (
        <li key={step} class={i < at ? "passed" : i === at ? `now ${classOf(now)}` : ""} aria-current={i === at ? "step" : undefined}>
          <strong>{step}</strong> <span class="note">{i <= at && times[i] ? formatTime(new Date(times[i])) : i <= at ? "passed at once" : "to come"}</span>
        </li>
      ))}
    </ol>
  );
}

function progressWords(progress: string): string {
  const [way, amount] = progress.split(":");
  if (way === "time") return `the clock, ${amount} in all`;
  return way === "polls" ? `lookups, ${amount} for each step` : progress;
}

function Lookup({ now }: { now: Run }) {
  const { path, headers } = lookupRequest(now);
  if (!path) return <p class="note">The answer to the request was the file: there is nothing to look up.</p>;
  const last = lookupAnswers.value.get(now.id);
  return (
    <details class="fold lookup">
      <summary>
        Status response <span class="note">when a client looks the export up</span>
      </summary>
      <Command label="The lookup" text={curl({ method: "GET", path, headers, body: "" }, server())} />
      {last && (
        <pre class={`record ${last.refused ? "bad" : ""}`} tabIndex={0} aria-label="The answer">
          {last.text}
        </pre>
      )}
      <p class="levers">
        <button type="button" class="secondary again" onClick={() => void lookUp(now)}>
          {last ? "Look it up again" : "Look it up"}
        </button>
        {last?.refused && <span class="note">The lookup uses the credentials of the form; this export may belong to others.</span>}
      </p>
    </details>
  );
}
