// The actions of the person's own: the list of them, and a way to write another.

import { announcement } from "../core/announcement";
import { register, sessions } from "../sessions/sessions";
import { choose, custom, identifier, pane, template, type CustomAction } from "../sessions/state";
import { Cross, Plus } from "../ui/icons";

// The editor opens with a template under a free name; both are changed there.
function write(onDone: () => void): void {
  const free = (n: number): string => (n === 1 ? "my-action" : `my-action-${n}`);
  let n = 1;
  while (custom.value.some(({ name }) => name.toLowerCase() === free(n))) n++;
  register({ name: free(n), source: template });
  announcement.value = `${free(n)} is registered with both hosts.`;
  choose(free(n), { greeting: "hello" });
  pane.value = "handler";
  onDone();
}

function unregister(action: CustomAction): void {
  custom.value = custom.value.filter((other) => other !== action);
  announcement.value = `${action.name} is no longer registered.`;
  document.getElementById("filter")?.focus(); // the way back into the list
}

/** The custom actions that match the filter. Tab reaches the one that is the `stop`; the arrow keys reach the others, and what unregisters them. */
export function CustomActions({ shown, stop, onDone }: { shown: readonly CustomAction[]; stop: string | undefined; onDone(): void }) {
  return (
    <div class="yours">
      <h2 class={`group ${shown.length > 0 ? "" : "hidden"}`}>Your own</h2>
      <ul class="actions">
        {shown.map((action) => (
          <li key={action.name} class={`own ${identifier.value === action.name ? "on" : ""}`}>
            <button
              type="button"
              class="action"
              aria-pressed={identifier.value === action.name}
              tabIndex={stop === action.name ? 0 : -1}
              onClick={() => choose(action.name, { greeting: "hello" })}
            >
              <code>{action.name}</code>
            </button>
            <button type="button" class="remove" aria-label={`Unregister ${action.name}`} title="Unregister" tabIndex={-1} onClick={() => unregister(action)}>
              <Cross />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="secondary write" disabled={!sessions.value.browser} onClick={() => write(onDone)}>
        <Plus /> Write your own action
      </button>
    </div>
  );
}
