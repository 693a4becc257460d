// The exports that were made, newest first.

import { useEffect } from "preact/hooks";
import { reachable } from "../../server/client";
import { formatTime } from "../../server/clock";
import { tokenWanted } from "../../server/token";
import { classOf, refresh, runs, selectedId, trouble, unfinished } from "./runs";

/** The list of exports. It keeps itself up to date while it is on the page. */
export function List() {
  const locked = tokenWanted.value !== "";
  const busy = runs.value?.some(unfinished) ?? false;
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => document.visibilityState === "visible" && !tokenWanted.value && void refresh(), busy ? 1000 : 5000);
    return () => clearInterval(timer);
  }, [busy]);
  return (
    <section class="runs card" aria-labelledby="runs-title">
      <h2 id="runs-title">Exports</h2>
      {trouble.value && reachable.value && !locked && <p class="refusal">{trouble.value}</p>}
      {runs.value === undefined ? (
        <p class="note">{locked ? "Hidden until the control token is entered." : !trouble.value && "Asking the server …"}</p>
      ) : runs.value.length === 0 ? (
        <p class="empty">None yet. Send the request, or run it with curl: the export appears here.</p>
      ) : (
        <ol class="list" tabIndex={0} aria-label="Exports, newest first">
          {runs.value.map((run) => (
            <li key={run.id}>
              <button type="button" aria-pressed={run.id === selectedId.value} onClick={() => (selectedId.value = run.id)}>
                <span class={`state ${classOf(run)}`}>{run.status}</span>
                <span class="what">{run.kind}</span>
                <time class="note" dateTime={run.created_at}>
                  {formatTime(new Date(run.created_at)).slice(5)}
                </time>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
