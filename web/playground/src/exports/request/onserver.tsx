// The scenarios that are set on the server: beside the menu, and above the requests of the journal.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, reason, send } from "../../server/client";

interface ServerScenario {
  id: string;
  match: Readonly<Record<string, string>>;
  scenario: string;
  times?: number;
}

/** The scenarios that the server has. */
export const serverScenarios = signal<readonly ServerScenario[]>([]);
const trouble = signal("");

/** Asks the server which it has. */
export async function read(): Promise<void> {
  try {
    serverScenarios.value = (await get<{ scenarios: ServerScenario[] }>("/_mock/scenarios")).scenarios;
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

/** The scenarios, each with a way to delete it; nothing when none is set. */
export function OnServer() {
  return (
    <>
      {trouble.value && <p class="refusal">{trouble.value}</p>}
      {serverScenarios.value.length > 0 && (
        <ul class="levers" aria-label="Scenarios that are set on the server">
          {serverScenarios.value.map(({ id, match, scenario, times }) => (
            <li key={id}>
              <code>{scenario}</code> <span class="note">{[...Object.values(match), times ? `for ${times} more` : "until deleted"].join(", ")}</span>{" "}
              <button type="button" class="inline" aria-label={`Delete ${id}`} onClick={() => change(() => remove(id))}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
