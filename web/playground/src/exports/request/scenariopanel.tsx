// The scenario of the request, from a menu or typed: sent by this page, or set on the server for requests that the page does not make.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Segmented } from "../../ui/parts";
import { scenario } from "./draft";
import { faultsIn } from "./guide";
import { submission } from "./submit";
import { forms, scenarios } from "./scenarios";
import { change, OnServer, read, remove, serverScenarios, set, useServerScenarios } from "./onserver";

/** To which requests it applies: those of this page, which says so in a header; the next one of any client; or all until it is deleted. */
type Scope = "page" | "next" | "all";

// It stays open when the last scenario is taken back: nothing moves under the pointer.
const unfolded = signal(false);

const chosenScope = signal<Scope>("page");
// A link or an export that is made again brings a header of its own.
const scope = computed<Scope>(() => (scenario.value === "" ? chosenScope.value : "page"));
/** The identifier of the one on the server that the menu has set and changes. */
const held = signal("");
/** What is typed for the server and not set yet. */
const typed = signal<string | undefined>(undefined);
/** What the server says of the text. */
const typedFault = signal("");
const text = computed(() =>
  scope.value === "page" ? scenario.value : (typed.value ?? serverScenarios.value.find(({ id }) => id === held.value)?.scenario ?? ""),
);

// What is refused leaves the one that was set before.
const place = (wanted: string, whose: Scope): void =>
  change(async () => {
    const before = held.value;
    const body = { scenario: wanted, ...(whose === "next" && { times: 1 }) };
    held.value = whose !== "page" && wanted !== "" ? (await set(body)).id : "";
    await read(); // a request may have used it up meanwhile
    if (serverScenarios.value.some(({ id }) => id === before)) await remove(before);
    typed.value = undefined;
  });

function apply(wanted: string): void {
  if (scope.value === "page") scenario.value = wanted;
  else place(wanted.trim(), scope.value);
}

// What is chosen goes along: a header that stayed would force the same again and again, and use up the one on the server.
function choose(next: Scope): void {
  const wanted = text.value.trim();
  chosenScope.value = next;
  scenario.value = next === "page" ? wanted : "";
  if (wanted !== "") place(wanted, next);
}

const about: Record<Scope, string> = {
  page: "Sent as a header with every request of this page.",
  next: "Set on the server for one request, whoever sends it: for a client that sends no such header.",
  all: "Set on the server for all requests of all clients, until it is deleted.",
};

/** The choice of a scenario. */
export function Scenario() {
  // A request may have spent one that was set on the server: that of the page when it is answered, those of others at any time.
  const sending = submission.value.state === "sending";
  const waiting = unfolded.value && serverScenarios.value.some(({ times }) => times);
  useServerScenarios(waiting, sending);
  const parts = text.value.split(/\s*;\s*/);
  return (
    <details
      class="fold"
      open={unfolded.value || scenario.value !== ""}
      onToggle={(e) => {
        unfolded.value = e.currentTarget.open;
        if (unfolded.value) change(async () => {});
      }}
    >
      <summary>
        Scenario {scenario.value ? <code>{scenario.value}</code> : <span class="note">{serverScenarios.value.length > 0 ? "none of this page’s own" : "none: everything goes well"}</span>}
        {serverScenarios.value.length > 0 && <span class="note"> ({serverScenarios.value.length} set on the server)</span>}
      </summary>
      <div class="scenario">
        <Segmented
          legend="Applies to"
          value={scope.value}
          options={[
            ["page", "This page’s"],
            ["next", "Next request"],
            ["all", "All, until deleted"],
          ]}
          onChange={choose}
        />
        <p class="note">{about[scope.value]}</p>
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
                onClick={() => apply(toggled(text.value, value))}
              >
                {label}
              </button>
            ))}
          </div>
        ))}
        <Typed />
      </div>
      <div class="onserver">
        <OnServer />
      </div>
    </details>
  );
}

// Anything that a scenario can say, judged by the server as it is typed.
function Typed() {
  const fault = typedFault.value;
  const ofPage = scope.value === "page";
  useEffect(() => {
    const wanted = text.value.trim();
    let gone = false;
    const timer = setTimeout(async () => {
      const [first] = wanted === "" ? [] : await faultsIn("mock/scenario.request", { scenario: wanted });
      if (!gone) typedFault.value = first?.message ?? "";
    }, 250);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        apply(text.value);
      }}
    >
      <label class="field">
        <span>{ofPage ? <>Header <code>X-Mock-Scenario</code> of every request sent here</> : "Scenario on the server; Enter sets it"}</span>
        <input
          class="mono"
          spellcheck={false}
          autocomplete="off"
          placeholder="progress=manual; rows=100"
          list="scenario-forms"
          value={text.value}
          aria-invalid={fault !== ""}
          aria-describedby="scenario-fault"
          onInput={(e) => (ofPage ? scenario : typed).value = e.currentTarget.value}
        />
      </label>
      <datalist id="scenario-forms">
        {forms.map((form) => (
          <option key={form} value={form} />
        ))}
      </datalist>
      <p class="refusal" id="scenario-fault" role="status">
        {fault}
      </p>
    </form>
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
