// The custom actions: what is registered, and a form to register another.

import { signal } from "@preact/signals";
import { messageOf } from "../core/adapter";
import { announcement } from "../core/announcement";
import { register, sessions } from "../sessions/sessions";
import { behaviours, choose, custom, identifier, type Behaviour, type CustomAction } from "../sessions/state";
import { Cross, Plus } from "../ui/icons";

const name = signal("");
const behaviour = signal<Behaviour>("record");
const refusal = signal("");
const unfolded = signal(false);

function submit(event: Event): void {
  event.preventDefault();
  const action: CustomAction = { name: name.value, behaviour: behaviour.value };
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
  name.value = "";
  refusal.value = "";
}

function unregister(action: CustomAction): void {
  custom.value = custom.value.filter((other) => other !== action);
  announcement.value = `${action.name} is no longer registered.`;
  document.getElementById("own-name")?.focus();
}

/** The custom actions that match the filter, and the form. */
export function CustomActions({ shown }: { shown: readonly CustomAction[] }) {
  return (
    <div class="yours">
      <h3>Yours</h3>
      {shown.length > 0 && (
        <ul class="actions">
          {shown.map((action) => (
            <li key={action.name} class={`own ${identifier.value === action.name ? "on" : ""}`}>
              <button
                type="button"
                class="action"
                aria-pressed={identifier.value === action.name}
                onClick={() => choose(action.name, { greeting: "hello" })}
              >
                <code>{action.name}</code>
                <span>{behaviours[action.behaviour]}</span>
              </button>
              <button
                type="button"
                class="remove"
                aria-label={`Unregister ${action.name}`}
                title="Unregister"
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
          <Plus /> Register an action
        </summary>
        <form onSubmit={submit} noValidate>
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
            <select value={behaviour.value} onChange={(e) => (behaviour.value = e.currentTarget.value as Behaviour)}>
              {Object.entries(behaviours).map(([value, label]) => (
                <option key={value} value={value} selected={value === behaviour.value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
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
