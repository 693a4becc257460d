// The list of actions: the built-ins, and those that the user registered.

import { computed, signal } from "@preact/signals";
import { builtinOf, builtins, type Builtin } from "../core/catalogue";
import { app } from "../hosts/apps";
import { chosenHosts, sampleOf, titleOf } from "../sessions/call";
import { choose, custom, identifier } from "../sessions/state";
import { Name, walk } from "../ui/parts";
import { CustomActions } from "./custom";

const filter = signal("");

// On a narrow page the list folds away; on a wide one it is always there.
const wide = matchMedia("(min-width: 64rem)");
const isWide = signal(wide.matches);
const unfolded = signal(false);
wide.addEventListener("change", () => (isWide.value = wide.matches));

function pick(name: string, example: Record<string, unknown>): void {
  choose(name, example);
  toCall();
}

// On a narrow page what was chosen is below the list.
function toCall(): void {
  if (isWide.value) return;
  unfolded.value = false;
  document.getElementById("call")?.focus();
}

const matching = computed(() => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  return {
    builtins: builtins.filter((b) => fits(`${b.identifier} ${b.neutral ?? ""} ${b.title}`)),
    own: custom.value.filter(({ name }) => fits(name)),
    ofApp: chosenHosts.value.includes("app") ? (app.value?.actions ?? []).filter(({ identifier, title = "" }) => fits(`${identifier} ${title}`)) : [],
  };
});

/** The list of all actions. */
export function Picker() {
  const { builtins: found, own, ofApp } = matching.value;
  const builtin = builtinOf(identifier.value);
  const chosen = builtin?.title ?? identifier.value;
  // The arrow keys go on from the one that Tab reaches: what is chosen, or the first.
  const names = [...ofApp.map(({ identifier }) => identifier), ...own.map(({ name }) => name), ...found.map(nameOf)];
  const stop = names.find((name) => name === identifier.value.toLowerCase() || name === identifier.value) ?? names[0];
  return (
    <section class="picker" aria-labelledby="picker-title" id="actions" tabIndex={-1}>
      <details open={isWide.value || unfolded.value} onToggle={(e) => (unfolded.value = e.currentTarget.open)} onKeyDown={(e) => walk(e, "#filter, .actions button")}>
        <summary class="unfold">
          <h2 id="picker-title">Actions</h2>
          <span class="chosen">{chosen}</span>
        </summary>
        <label class="search">
          <span class="hidden">Filter actions</span>
          <input
            id="filter"
            type="search"
            placeholder="Filter"
            autocomplete="off"
            value={filter.value}
            onInput={(e) => (filter.value = e.currentTarget.value)}
          />
        </label>
        {ofApp.length > 0 && (
          <>
            <h2 class="group">{titleOf("app")}</h2>
            <ul class="actions">
              {ofApp.map((action) => (
                <Item key={action.identifier} name={action.identifier} title={action.title} stop={stop} example={() => sampleOf(action)} />
              ))}
            </ul>
          </>
        )}
        <CustomActions shown={own} stop={stop} onDone={toCall} />
        <h2 class="group">Built in</h2>
        {found.length > 0 ? (
          <ul class="actions">
            {found.map((builtin) => (
              <Item key={builtin.identifier} name={nameOf(builtin)} also={builtin.identifier} title={builtin.title} stop={stop} example={() => builtin.example} />
            ))}
          </ul>
        ) : (
          <p class="empty">No built-in action matches “{filter.value}”.</p>
        )}
      </details>
    </section>
  );
}

// The identifier without a platform in it, where there is one.
const nameOf = ({ identifier, neutral = identifier }: Builtin): string => neutral;

function Item(props: { name: string; also?: string; title: string | undefined; stop: string | undefined; example(): Record<string, unknown> }) {
  const { name, also, title, stop, example } = props;
  const on = [name, also].some((one) => one?.toLowerCase() === identifier.value.toLowerCase());
  return (
    <li class={on ? "on" : ""}>
      <button type="button" class="action" data-identifier={name} aria-pressed={on} tabIndex={stop === name ? 0 : -1} onClick={() => pick(name, example())}>
        {title && <span>{title}</span>}
        <Name>{name}</Name>
      </button>
    </li>
  );
}
