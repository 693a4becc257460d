// The custom actions: what is registered, and a form to register another.

import { signal } from "@preact/signals";
import { messageOf } from "../core/adapter";
import { announcement } from "../core/announcement";
import { register, sessions } from "../sessions/sessions";
import { choose, custom, identifier, pane, templates, type CustomAction, type Template } from "../sessions/state";
import { Cross, Plus } from "../ui/icons";

const name = signal("");
const template = signal<Template>("notes the call");
const refusal = signal("");
const unfolded = signal(false);

function submit(event: Event, onDone: () => void): void {
  event.preventDefault();
  const action: CustomAction = { name: name.value, source: templates[template.value] };
  const before = custom.value.length;
  try {
    register(action);
  } catch (error) {
    refusal.value = messageOf(error);
    announcement.value = `Not registered: ${refusal.value}`;
    document.getElementById("own-name")?.focus();
    return;
  }
  const added = custom.value.length > before;
  announcement.value = added
    ? `${action.name} is registered with both hosts.`
    : `${action.name} replaces the action of that name.`;
  choose(action.name, { greeting: "hello" });
  pane.value = "handler";
  name.value = "";
  refusal.value = "";
  unfolded.value = false;
  onDone();
}

function unregister(action: CustomAction): void {
  custom.value = custom.value.filter((other) => other !== action);
  announcement.value = `${action.name} is no longer registered.`;
  document.getElementById("filter")?.focus(); // the way back into the list
}

/** What the handler of an action does, in a few words. */
export const doing = ({ source }: CustomAction): string =>
  Object.entries(templates).find(([, code]) => code === source)?.[0] ?? "your own handler";

/** The custom actions that match the filter, and the form. Tab reaches the one that is the `stop`; the arrow keys reach the others, and what unregisters them. */
export function CustomActions({ shown, stop, onDone }: { shown: readonly CustomAction[]; stop: string | undefined; onDone(): void }) {
  return (
    <div class="yours">
      <h2 class={`group ${shown.length > 0 ? "" : "hidden"}`}>Your own</h2>
      {shown.length > 0 && (
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
                <span>{doing(action)}</span>
              </button>
              <button
                type="button"
                class="remove"
                aria-label={`Unregister ${action.name}`}
                title="Unregister"
                tabIndex={-1}
                onClick={() => unregister(action)}
              >
                <Cross />
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="register" open={unfolded.value} onToggle={(e) => (unfolded.value = e.currentTarget.open)}>
        <summary>
          <Plus /> Write your own action
        </summary>
        <form onSubmit={(e) => submit(e, onDone)} noValidate>
          <label class="field">
            <span>Name of your action</span>
            <input
              id="own-name"
              class="mono"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              placeholder="open-basket"
              value={name.value}
              aria-invalid={refusal.value !== ""}
              aria-describedby={refusal.value ? "own-refusal" : undefined}
              onInput={(e) => {
                name.value = e.currentTarget.value;
                refusal.value = "";
              }}
            />
          </label>
          <label class="field">
            <span>What its handler does</span>
            <select value={template.value} onChange={(e) => (template.value = e.currentTarget.value as Template)}>
              {Object.keys(templates).map((does) => (
                <option key={does} selected={does === template.value}>
                  {does}
                </option>
              ))}
            </select>
          </label>
          <p class="note">You can rewrite it once it is registered.</p>
          {refusal.value && (
            <p class="refusal" id="own-refusal">
              {refusal.value}
            </p>
          )}
          <button type="submit" class="secondary" disabled={!sessions.value.browser}>
            Register
          </button>
        </form>
      </details>
    </div>
  );
}
