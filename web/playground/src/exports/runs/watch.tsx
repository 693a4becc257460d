// One export on its way: its states by the server's clock, the answer to a client's lookup, and the file when it is there.

import { useEffect, useRef } from "preact/hooks";
import { curl } from "../../core/request";
import { formatTime } from "../../server/clock";
import { Command } from "../../ui/command";
import { CopyButton } from "../../ui/parts";
import { FilePanel } from "../file/filepanel";
import { statesOf } from "../api/kinds";
import { classOf, createdCount, lookUp, lookupAnswers, lookupRequest, move, roleOf, selectedRun, unfinished, update, type Run } from "./runs";

/** The selected export. `onReuse` is called to make its request again. */
export function Watch({ onReuse }: { onReuse(run: Run): void }) {
  const now = selectedRun.value;
  const before = useRef(createdCount.value);
  // What was just sent is seen on its way also where it stands below the form, or far above the button; with the clock that moves it.
  useEffect(() => {
    if (before.current === createdCount.value) return;
    before.current = createdCount.value;
    const panel = document.getElementById("watch");
    const top = panel?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight - 120) document.getElementById("clock")?.scrollIntoView({ block: "start" });
  }, [createdCount.value]);
  if (!now) return null;
  return <Watched key={now.id} now={now} onReuse={onReuse} />;
}

const levers = { step: "Step", finish: "Finish", fail: "Fail" } as const;

function Watched({ now, onReuse }: { now: Run; onReuse(run: Run): void }) {
  const going = unfinished(now);
  const manual = now.progress === "manual";
  useEffect(() => {
    if (!going) {
      const seen = lookupAnswers.peek().get(now.id)?.text ?? "";
      const ends = statesOf(now.interface, "done", "failed", "expired");
      if (!ends.some((end) => seen.includes(`"${end}"`))) void lookUp(now); // the final state is read once, as a client should
      return;
    }
    // The server's own view moves nothing and stands in no journal; only an export that goes by lookups needs them.
    const polls = now.progress.startsWith("polls");
    const timer = setInterval(() => void (polls ? lookUp(now) : update(now.id)), polls ? 2000 : 700);
    return () => clearInterval(timer);
  }, [now.id, going]);
  return (
    <section class={`watch card ${["failed", "expired"].includes(roleOf(now)) ? "" : "roomy"}`} aria-labelledby="watch-title" id="watch" tabIndex={-1}>
      <div class="bar">
        <h2 id="watch-title">{now.kind}</h2>
        <span class="tools">
          <button type="button" class="quiet" onClick={() => onReuse(now)}>
            Use as request
          </button>
          <CopyButton text={() => `${location.origin}${location.pathname}#exports/file/${now.id}`} what="The link to this export">
            Copy link
          </CopyButton>
        </span>
      </div>
      <div class="bar ids">
        <code class="note">{now.id}</code>
        {/* They stay when they are off, so that nothing comes up under the pointer. */}
        <span class="tools">
          <span class="note">{!going ? "Finished." : manual ? "Waiting for you." : `Proceeds by ${progressWords(now.progress)}.`}</span>
          {Object.entries(levers).map(([action, label]) => (
            <button key={action} type="button" class="secondary" disabled={!going} onClick={() => void move(now.id, action as keyof typeof levers)}>
              {label}
            </button>
          ))}
        </span>
      </div>
      <States now={now} />
      {roleOf(now) === "failed" && <p class="answer bad">{now.error_message}</p>}
      <Lookup now={now} />
      {roleOf(now) === "done" && (
        <FilePanel
          key={now.id}
          id={now.id}
          kind={now.kind}
          request={now.request}
          until={now.file_expires_at === undefined ? undefined : new Date(now.file_expires_at)}
          lookup={lookupAnswers.value.get(now.id)}
          renew={() => lookUp(now)}
        />
      )}
    </section>
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
          <strong>{step}</strong>
          <span class="note">{i <= at && times[i] ? formatTime(new Date(times[i])) : i <= at ? "passed at once" : "to come"}</span>
        </li>
      ))}
    </ol>
  );
}

function progressWords(progress: string): string {
  const [way, amount] = progress.split(":");
  if (way === "time") return `the clock, ${amount} in all`;
  if (way === "polls") return `lookups, ${amount} for each step`;
  return progress;
}

function Lookup({ now }: { now: Run }) {
  const { path, headers } = lookupRequest(now);
  const last = lookupAnswers.value.get(now.id);
  return (
    <details class="fold">
      <summary>
        Status response <span class="note">when a client looks the export up</span>
      </summary>
      <Command label="The lookup" text={curl({ method: "GET", path, headers, body: "" }, location.origin)} />
      {last && (
        <pre class={`record ${last.refused ? "bad" : ""}`} tabIndex={0} aria-label="The answer">
          {last.text}
        </pre>
      )}
      <p class="note asked">
        {!last && "Not asked yet."}
        <button type="button" class="inline again" onClick={() => void lookUp(now)}>
          {last ? "Look it up again" : "Look it up"}
        </button>
        {last && (
          <CopyButton class="inline" text={() => last.text} what="The answer">
            Copy the answer
          </CopyButton>
        )}
      </p>
      {last?.refused && <p class="note">The lookup uses the credentials of the form; this export may belong to others.</p>}
    </details>
  );
}
