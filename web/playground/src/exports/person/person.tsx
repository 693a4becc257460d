// One person, followed through every kind of export.

import { signal } from "@preact/signals";
import { counted } from "../../ui/format";
import { Rows } from "../../ui/rows";
import { useEffect } from "preact/hooks";
import { follow, known, traces, wanted, type Trace } from "./follow";

// The search that is under way.
const search = signal<AbortController | undefined>(undefined);

async function run(event: Event): Promise<void> {
  event.preventDefault();
  search.value?.abort();
  const mine = (search.value = new AbortController());
  await follow(mine.signal);
  if (search.value === mine) search.value = undefined;
}

/** The view of one person. */
export function Person() {
  useEffect(() => () => search.value?.abort(), []); // nobody waits for it any more
  const there = traces.value.filter((one) => one.state === "there");
  const rows = there.reduce((sum, one) => sum + one.rows.length, 0);
  const said = (): string => {
    if (search.value) return "Making the exports …";
    if (traces.value.length === 0) return "Makes one export of each kind over the last 30 days, and finds the rows of the person in all of them.";
    if (rows === 0) return "Nobody has this identifier.";
    return `${counted(rows, "row")} in ${there.filter((one) => one.rows.length > 0).length} of ${counted(there.length, "file")}. Known as ${known.value.join(", ")}.`;
  };
  return (
    <div class="person">
      <h1 class="hidden">One person, in every file</h1>
      <form class="card" aria-label="Person to follow" onSubmit={(e) => void run(e)}>
        <div class="who">
          <label class="field">
            <span>Identifier of a person or an installation, from any file</span>
            <input class="mono" required autocomplete="off" spellcheck={false} value={wanted.value} onInput={(e) => (wanted.value = e.currentTarget.value)} />
          </label>
          <button type="submit" class="primary">
            Follow
          </button>
        </div>
        <p class="note" role="status">
          {said()}
        </p>
      </form>
      {traces.value.length > 0 && (
        <section class="card" aria-label="File by file">
          <h2>File by file</h2>
          {traces.value.map((one) => (
            <File key={one.kind} trace={one} />
          ))}
        </section>
      )}
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
