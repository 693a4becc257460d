// The scenario: a menu of the usual ones, all others typed; sent by this page, or set on the server for requests of other clients.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, reason, send } from "../../server/client";
import { keepAsking } from "../../server/live";
import { Segmented } from "../../ui/parts";
import { scenario } from "./draft";
import { faultsIn } from "./guide";
import { parts } from "./parts";

const usual = {
  "progress=now": "done at once",
  "progress=manual": "moved by hand",
  "progress=stuck": "never done",
  "outcome=error": "ends in ERROR",
  "rows=0": "empty file",
  "latency=2s": "after two seconds",
  "reset=after": "connection reset",
  "error=TOO_MANY_REQUESTS": "rate limited: 429",
  "error=SERVER_ERROR": "server error: 500",
  "error=MAINTENANCE_ERROR": "maintenance: 503",
} as const;

/** To which requests it applies: those of this page, which says so in a header; the next one of any client; or all until it is deleted. */
type Scope = "page" | "next" | "all";

interface OnServer {
  id: string;
  match: Readonly<Record<string, string>>;
  scenario: string;
  times?: number;
}

/** The scenarios that are set on the server. */
const onServer = signal<readonly OnServer[]>([]);
const trouble = signal("");
/** What the server says of the text. */
const typedFault = signal("");
const chosenScope = signal<Scope>("page");
// A link or an export that is made again brings a header of its own.
const scope = computed<Scope>(() => (scenario.value === "" ? chosenScope.value : "page"));
/** The one on the server that the menu has set and changes. */
const held = signal("");
/** What is typed for the server and not set yet. */
const typed = signal<string | undefined>(undefined);
const text = computed(() => (scope.value === "page" ? scenario.value : (typed.value ?? onServer.value.find(({ id }) => id === held.value)?.scenario ?? "")));

async function read(): Promise<void> {
  try {
    onServer.value = (await get<{ scenarios: OnServer[] }>("/_mock/scenarios")).scenarios;
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

// Changes come one after the other, however fast they are clicked.
let changing: Promise<void> = Promise.resolve();
const change = (doing: () => Promise<void>): void => void (changing = changing.then(doing).then(read, (error: unknown) => void (trouble.value = reason(error))));
const remove = async (id: string): Promise<void> => void (await send(`/_mock/scenarios/${encodeURIComponent(id)}`, { method: "DELETE" }));

// What is refused leaves the one that was set before.
const place = (wanted: string, whose: Scope): void =>
  change(async () => {
    const before = held.value;
    const body = { scenario: wanted, ...(whose === "next" && { times: 1 }) };
    held.value = whose !== "page" && wanted !== "" ? (await post<OnServer>("/_mock/scenarios", body)).id : "";
    await read(); // a request may have used it up meanwhile
    if (onServer.value.some(({ id }) => id === before)) await remove(before);
    typed.value = undefined;
  });

function apply(wanted: string): void {
  if (scope.value === "page") scenario.value = wanted;
  else place(wanted.trim(), scope.value);
}

// What is chosen goes along: a header that stayed would force the same again and again.
function choose(next: Scope): void {
  const wanted = text.value.trim();
  chosenScope.value = next;
  scenario.value = next === "page" ? wanted : "";
  if (wanted !== "") place(wanted, next);
}

// A choice takes the place of another one of the same name.
function toggled(before: string, choice: string): string {
  const all = before.split(/\s*;\s*/).filter(Boolean);
  const others = all.filter((part) => part.split("=")[0] !== choice.split("=")[0]);
  return (all.includes(choice) ? others : [...others, choice]).join("; ");
}

/** The chip that names the scenario, and the menu behind it. */
export function Scenario() {
  useEffect(() => keepAsking(() => (changing = changing.then(read))), []); // requests use them up
  const chosen = text.value.split(/\s*;\s*/);
  const set = onServer.value;
  return (
    <details class="scenario" onKeyDown={(e) => e.key === "Escape" && (e.currentTarget.open = false)}>
      <summary class="chip">
        {scenario.value || (set.length > 0 ? `${set.length} set on the server` : "Everything goes well")} <span aria-hidden="true">▾</span>
      </summary>
      <div class="menu card">
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
        <div class="levers" role="group" aria-label="The usual scenarios">
          {Object.entries(usual).map(([value, label]) => (
            <button key={value} type="button" class="chip" data-scenario={value} aria-pressed={chosen.includes(value)} onClick={() => apply(toggled(text.value, value))}>
              {label}
            </button>
          ))}
        </div>
        <Typed />
        {trouble.value && <p class="refusal">{trouble.value}</p>}
        {set.length > 0 && (
          <ul class="levers" aria-label="Scenarios that are set on the server">
            {set.map(({ id, match, scenario, times }) => (
              <li key={id}>
                <code>{scenario}</code> <span class="note">{[...Object.values(match), times ? `for ${times} more` : "until deleted"].join(", ")}</span>{" "}
                <button type="button" class="inline" aria-label={`Delete ${id}`} onClick={() => change(() => remove(id))}>
                  Delete
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

// Any scenario, judged by the server as it is typed.
function Typed() {
  const ofPage = scope.value === "page";
  const wanted = text.value.trim();
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      const [first] = wanted === "" ? [] : await faultsIn("mock/scenario.request", { scenario: wanted });
      if (!gone) typedFault.value = first?.message ?? "";
    }, 250);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted]);
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
          aria-invalid={typedFault.value !== ""}
          aria-describedby="scenario-fault"
          onInput={(e) => (ofPage ? scenario : typed).value = e.currentTarget.value}
        />
      </label>
      <datalist id="scenario-forms">
        {Object.values(parts).flat().map((form) => (
          <option key={form} value={form} />
        ))}
      </datalist>
      <p class="refusal" id="scenario-fault" role="status">
        {typedFault.value}
      </p>
    </form>
  );
}
