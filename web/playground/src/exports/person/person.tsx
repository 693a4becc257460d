// One person, followed through every kind of export.

import { counted } from "../../ui/format";
import { Rows } from "../../ui/rows";
import { useEffect } from "preact/hooks";
import { follow, following, known, moments, pickSomeone, stop, traces, wanted, type Trace } from "./follow";

/** The view of one person. */
export function Person() {
  useEffect(() => stop, []); // nobody waits for it any more
  const empty = wanted.value.trim() === "";
  const there = traces.value.filter((one) => one.state === "there");
  const rows = there.reduce((sum, one) => sum + one.rows.length, 0);
  const story = moments(traces.value);
  return (
    <div class="person">
      <div class="intro">
        <h1>
          One person, <span>in every file.</span>
        </h1>
        <p>Enter any identifier. The page makes every kind of export and finds this person’s rows, whatever identifies them in each file.</p>
      </div>
      <section class="card" aria-label="Person to follow">
        <div class="who">
          <label class="field">
            <span>Identifier of a person or an installation</span>
            <input class="mono" autocomplete="off" spellcheck={false} value={wanted.value} onInput={(e) => (wanted.value = e.currentTarget.value)} />
          </label>
          <button type="button" class="secondary" aria-disabled={following.value} onClick={() => !following.value && void pickSomeone()}>
            Pick someone
          </button>
          {following.value ? (
            <button type="button" class="secondary go" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="button" class="primary go" aria-disabled={empty} onClick={() => !empty && void follow()}>
              Follow
            </button>
          )}
        </div>
        <p class="note" role="status">
          {empty
            ? "Type an identifier, or pick someone who received a message."
            : traces.value.length > 0 && !following.value
              ? rows === 0
                ? "Nobody has this identifier."
                : `${counted(rows, "row")} in ${there.filter((one) => one.rows.length > 0).length} of ${counted(there.length, "file")}. Known as ${known.value.join(", ")}.`
              : "Makes one export of each kind, covering the last 30 days."}
        </p>
      </section>
      <div class="found">
        {story.length > 0 && (
          <section class="card" aria-labelledby="story-title">
            <h2 id="story-title">Timeline</h2>
            <ol class="story" tabIndex={0} aria-labelledby="story-title">
              {story.map(({ at, kind, what }, i) => (
                <li key={i}>
                  <time>{at.slice(0, 19).replace("T", " ")}</time> <strong>{what}</strong> <span class="note">{kind}</span>
                </li>
              ))}
            </ol>
          </section>
        )}
        {traces.value.length > 0 && (
          <section class="card" aria-labelledby="files-title">
            <h2 id="files-title">File by file</h2>
            {traces.value.map((one) => (
              <File key={one.kind} trace={one} />
            ))}
          </section>
        )}
      </div>
    </div>
  );
}

function File({ trace }: { trace: Trace }) {
  return (
    <section class="one" aria-label={trace.kind} data-state={trace.state}>
      <h3>{trace.kind}</h3>
      {trace.state === "waiting" && <p class="note">Waiting …</p>}
      {trace.state === "failed" && <p class="refusal">{trace.trouble}</p>}
      {trace.state === "there" && (
        <>
          <p class="note">
            {trace.rows.length.toLocaleString("en")} of {counted(trace.of, "row")}.{" "}
            <a href={`#exports/file/${trace.id}`} aria-label={`Open the export ${trace.kind}`}>
              Open the export
            </a>
          </p>
          {trace.rows.length > 0 && <Rows label={`Rows of ${trace.kind}`} heads={trace.columns.map(({ name }) => name)} rows={trace.rows} />}
        </>
      )}
    </section>
  );
}
