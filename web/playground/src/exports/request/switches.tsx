// The scenarios that are set on the server, each a switch: beside the menu, and above the timeline of the journal.

import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, reason, send } from "../../server/client";

interface ServerScenario {
  id: string;
  created_at: string;
  match: Readonly<Record<string, string>>;
  scenario: string;
  times?: number;
}

/** One that the server has, or had when it was switched off here: it keeps its place and its key, so that it can be switched on again. */
interface Switch {
  key: string;
  on: boolean;
  rule: ServerScenario;
}

const switches = signal<readonly Switch[]>([]);
const trouble = signal("");

/** The scenarios that the server has; their keys stay when one is switched off and on, as their identifiers do not. */
export const serverScenarios = computed(() => switches.value.flatMap(({ key, on, rule }) => (on ? [{ key, ...rule }] : [])));

/** Asks the server which it has. */
export async function read(): Promise<void> {
  try {
    const { scenarios } = await get<{ scenarios: ServerScenario[] }>("/_mock/scenarios");
    const kept = switches.value.flatMap((one) => {
      const rule = scenarios.find(({ id }) => id === one.rule.id);
      return rule ? [{ ...one, rule }] : one.on ? [] : [one];
    });
    const fresh = scenarios.filter(({ id }) => !kept.some(({ rule }) => rule.id === id));
    switches.value = [...kept, ...fresh.map((rule) => ({ key: rule.id, on: true, rule }))];
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

// Changes come one after the other, however fast they are clicked.
let changing: Promise<void> = Promise.resolve();

/** Changes what the server has, after what is being changed. */
export const change = (doing: () => Promise<void>): void =>
  void (changing = changing.then(doing).then(read, (error: unknown) => void (trouble.value = reason(error))));

/** Sets one for requests of any client. */
export const set = (wanted: Pick<ServerScenario, "scenario" | "times">): Promise<ServerScenario> => post("/_mock/scenarios", wanted);

/** Takes one from the server. */
export const remove = async (id: string): Promise<void> => void (await send(`/_mock/scenarios/${encodeURIComponent(id)}`, { method: "DELETE" }));

/** Reads them now, and while `waiting` again and again: nobody tells the page what other clients set and use up. */
export function useServerScenarios(waiting: boolean, sending = false): void {
  useEffect(() => {
    const refresh = (): void => change(async () => {});
    if (!sending) refresh();
    if (!waiting) return;
    const timer = setInterval(() => document.visibilityState === "visible" && refresh(), 2000);
    return () => clearInterval(timer);
  }, [sending, waiting]);
}

const put = (key: string, next: readonly Switch[]): void =>
  void (switches.value = switches.value.flatMap((one) => (one.key === key ? next : [one])));

// Where it is looked at now: a request may have used it up, or another click have changed it.
const withNow = (key: string, doing: (now: Switch) => Promise<readonly Switch[]>): void =>
  change(async () => {
    await read();
    const now = switches.value.find((one) => one.key === key);
    if (now) put(key, await doing(now));
  });

const turn = (key: string): void =>
  withNow(key, async (now) => {
    if (now.on) {
      await remove(now.rule.id);
      return [{ ...now, on: false }];
    }
    const { id, created_at, ...wanted } = now.rule;
    return [{ ...now, on: true, rule: await set(wanted) }];
  });

const drop = (key: string): void =>
  withNow(key, async ({ on, rule }) => {
    if (on) await remove(rule.id);
    return [];
  });

/** The switches; none when nothing was set. */
export function Switches() {
  return (
    <>
      {trouble.value && <p class="refusal">{trouble.value}</p>}
      {switches.value.length > 0 && (
        <ul class="levers" aria-label="Scenarios that are set on the server">
          {switches.value.map(({ key, on, rule: { id, match, scenario, times } }) => (
            <li key={key}>
              <button type="button" class="chip" aria-pressed={on} onClick={() => turn(key)}>
                <code>{scenario}</code>
              </button>{" "}
              <span class="note">{[...Object.values(match), !on ? "off" : times ? `for ${times} more` : "until deleted"].join(", ")}</span>{" "}
              <button type="button" class="inline" aria-label={`Delete ${id}`} onClick={() => drop(key)}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
