// The log of results.

import type { Result } from "../core/adapter";
import { write } from "../core/json";
import { chosenHosts } from "../sessions/call";
import { entries, statusWords, type Entry } from "../sessions/log";
import { identifier, text } from "../sessions/state";
import { Again, Bar, Check, Cross, Hand, Pause, Warn } from "../ui/icons";
import { duration } from "../ui/format";
import { Name } from "../ui/parts";

const icons: Record<Result["status"], () => preact.JSX.Element> = {
  performed: Check,
  partial: Warn,
  blocked: Hand,
  unsupported: Bar,
  canceled: Bar,
  not_found: Cross,
  invalid_arguments: Cross,
  failed: Cross,
};

const phases = { held: "held until the SDK is started", running: "under way" };

/** The panel with the results. */
export function Results() {
  const shown = entries.value;
  return (
    <section class="results card" aria-labelledby="results-title" id="results" tabIndex={-1}>
      <div class="bar">
        <h2 id="results-title">Results</h2>
        {shown.length > 0 && (
          <button type="button" class="quiet" onClick={() => (entries.value = [])}>
            Clear
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <p class="empty">Nothing has run yet. Perform an action: its result appears here, and its effect on the host.</p>
      ) : (
        <ol class="log" tabIndex={0} aria-labelledby="results-title">
          {shown.map((entry) => (
            <Row key={entry.key} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

const iconOf = ({ result, phase }: Entry) => (result ? icons[result.status] : phase === "held" ? Pause : Spinner);
const wordsOf = ({ result, phase }: Entry): string =>
  result ? statusWords[result.status] : phase === "done" ? "" : phases[phase];

/** The newest result of each chosen host in one line, which stands by the button; the log may be out of view. */
export function Latest() {
  return entries.value.slice(0, chosenHosts.value.length).map((entry) => <Line key={entry.key} entry={entry} />);
}

function Line({ entry }: { entry: Entry }) {
  const Icon = iconOf(entry);
  return (
    <p class={`latest ${entry.result?.status ?? entry.phase}`}>
      <Icon />
      <span>
        <strong>{entry.title}:</strong> <Name>{entry.identifier || "(blank)"}</Name>{" "}
        <span class="status">{wordsOf(entry)}</span>
        {entry.result?.message && <span class="reason"> {entry.result.message}</span>}
      </span>
    </p>
  );
}

function Row({ entry }: { entry: Entry }) {
  const { result, phase } = entry;
  const Icon = iconOf(entry);
  return (
    <li class={`entry ${result?.status ?? phase}`} data-host={entry.host} data-status={result?.status ?? phase}>
      <Icon />
      <div class="what">
        <p class="line">
          <Name>{entry.identifier || "(blank)"}</Name>
          <span class="status">{wordsOf(entry)}</span>
        </p>
        {result?.message && <p class="message">{result.message}</p>}
        {result?.value !== undefined && (
          <p class="value">
            returned <code>{write(result.value, 0)}</code>
          </p>
        )}
        {result?.items && result.items.length > 0 && <Items entry={entry} items={result.items} />}
        <p class="facts">
          <span>{entry.title}</span>
          {entry.source !== "manual" && <span>triggered by {entry.source}</span>}
          <time dateTime={entry.at.toISOString()}>
            {entry.at.toLocaleTimeString([], { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" })}
          </time>
          {entry.took !== undefined && <span class="took">{duration(entry.took)}</span>}
        </p>
      </div>
      <button
        type="button"
        class="quiet again"
        title="Put this call back into the editor"
        aria-label={`Put ${entry.identifier} back into the editor`}
        onClick={() => restore(entry)}
      >
        <Again />
      </button>
    </li>
  );
}

function Items({ entry, items }: { entry: Entry; items: readonly Result[] }) {
  const names = identifiersOf(entry.text);
  return (
    <ol class="items">
      {items.map((item, i) => {
        const Icon = icons[item.status];
        return (
          <li key={i} class={item.status}>
            <Icon />
            <span>
              <Name>{names[i] ?? `item ${i + 1}`}</Name> <span class="status">{statusWords[item.status]}</span>
              {item.value !== undefined && (
                <>
                  {" "}
                  returned <code>{write(item.value, 0)}</code>
                </>
              )}
              {item.message && <span class="message">{item.message}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

// The identifiers of a group's items, as they were typed.
function identifiersOf(typed: string): (string | undefined)[] {
  try {
    const { actions } = JSON.parse(typed) as { actions?: unknown };
    return Array.isArray(actions)
      ? actions.map((pair: unknown) => (Array.isArray(pair) && typeof pair[0] === "string" ? pair[0] : undefined))
      : [];
  } catch {
    return [];
  }
}

function restore(entry: Entry): void {
  identifier.value = entry.identifier;
  text.value = entry.text;
  document.getElementById("call")?.focus();
}

const Spinner = () => <i class="spinner icon" aria-hidden="true" />;
