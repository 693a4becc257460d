// The scenario of the request, from a menu or typed; and scenarios that are set on the server, for requests that the page does not make.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, reason, send } from "../../server/client";
import { scenario } from "./draft";
import { submission } from "./submit";
import { scenarios } from "./scenarios";

interface ServerScenario {
  id: string;
  scenario: string;
  times?: number;
}

const serverScenarios = signal<readonly ServerScenario[]>([]);
const trouble = signal("");
// It stays open when the last scenario is taken back: nothing moves under the pointer.
const unfolded = signal(false);

async function read(): Promise<void> {
  try {
    serverScenarios.value = (await get<{ scenarios: ServerScenario[] }>("/_mock/scenarios")).scenarios;
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

async function change(doing: Promise<unknown>): Promise<void> {
  try {
    await doing;
    await read();
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** The choice of a scenario. */
export function Scenario() {
  // A request may have spent one that was set on the server.
  const sending = submission.value.state === "sending";
  useEffect(() => {
    if (!sending) void read();
  }, [sending]);
  const parts = scenario.value.split(/\s*;\s*/);
  return (
    <details
      class="fold"
      open={unfolded.value || scenario.value !== ""}
      onToggle={(e) => {
        unfolded.value = e.currentTarget.open;
        if (unfolded.value) void read();
      }}
    >
      <summary>
        Scenario {scenario.value ? <code>{scenario.value}</code> : <span class="note">none: everything goes well</span>}
        {serverScenarios.value.length > 0 && <span class="note"> ({serverScenarios.value.length} set on the server)</span>}
      </summary>
      <div class="scenario">
        {scenarios.map(([title, labels]) => (
          <div key={title} role="group" aria-label={title} class="levers">
            <span class="note">{title}</span>
            {Object.entries(labels).map(([value, label]) => (
              <button
                key={value}
                type="button"
                class="chip"
                data-scenario={value}
                aria-pressed={parts.includes(value)}
                onClick={() => (scenario.value = toggled(scenario.value, value))}
              >
                {label}
              </button>
            ))}
          </div>
        ))}
        <label class="field">
          <span>
            Header <code>X-Mock-Scenario</code> of every request sent here
          </span>
          <input
            class="mono"
            spellcheck={false}
            autocomplete="off"
            placeholder="progress=manual; rows=100"
            value={scenario.value}
            onInput={(e) => (scenario.value = e.currentTarget.value)}
          />
        </label>
        <OnServer />
      </div>
    </details>
  );
}

// A client that cannot send a header, such as the one that is being tested, meets a scenario that is set beforehand. The header of this
// page's own requests is emptied by that: it would force the same again and again, and use up the one on the server.
function OnServer() {
  const empty = scenario.value.trim() === "";
  const add = (times?: number): void => {
    if (empty) return;
    const body = { scenario: scenario.value.trim(), ...(times ? { times } : {}) };
    void change(post("/_mock/scenarios", body).then(() => (scenario.value = "")));
  };
  return (
    <div class="onserver">
      <div class="levers">
        <span class="note">Or move it to the server, for any client</span>
        <button type="button" class="secondary" disabled={empty} onClick={() => add(1)}>
          for the next request
        </button>
        <button type="button" class="secondary" disabled={empty} onClick={() => add()}>
          until deleted
        </button>
      </div>
      {trouble.value && <p class="refusal">{trouble.value}</p>}
      {serverScenarios.value.length > 0 && (
        <ul aria-label="Scenarios that are set on the server">
          {serverScenarios.value.map((one) => (
            <li key={one.id}>
              <code>{one.scenario}</code> <span class="note">{one.times ? `for ${one.times} more` : "until deleted"}</span>{" "}
              <button
                type="button"
                class="inline"
                aria-label={`Delete ${one.id}`}
                onClick={() => void change(send(`/_mock/scenarios/${encodeURIComponent(one.id)}`, { method: "DELETE" }))}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// A choice takes the place of another one of the same name.
function toggled(header: string, choice: string): string {
  const parts = header
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.includes(choice)) return parts.filter((part) => part !== choice).join("; ");
  const name = choice.split("=")[0];
  return [...parts.filter((part) => part.split("=")[0] !== name), choice].join("; ");
}
