// The list of actions: the built-ins, and those that the user registered.

import { computed, signal } from "@preact/signals";
import { builtinOf, builtins, type Builtin } from "../core/catalogue";
import { choose, custom, identifier } from "../sessions/state";
import { Name, walk } from "../ui/parts";
import { CustomActions, doing } from "./custom";

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

// Enter in the filter chooses what is the only match.
function chooseOnly(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
  const { builtins: found, own } = matching.value;
  if (found.length + own.length !== 1) return;
  event.preventDefault();
  const [builtin] = found;
  if (builtin) pick(builtin.identifier, builtin.example);
  else pick(own[0]!.name, { greeting: "hello" });
}

const matching = computed(() => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  return {
    builtins: builtins.filter((b) => fits(`${b.identifier} ${b.neutral ?? ""} ${b.title}`)),
    own: custom.value.filter((action) => fits(`${action.name} ${doing(action)}`)),
  };
});

/** The list of all actions. */
export function Picker() {
  const { builtins: found, own } = matching.value;
  const builtin = builtinOf(identifier.value);
  const chosen = builtin?.title ?? identifier.value;
  // The arrow keys go on from the one that Tab reaches: what is chosen, or the first.
  const names = [...own.map(({ name }) => name), ...found.flatMap(namesOf)];
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
            onKeyDown={chooseOnly}
          />
        </label>
        <CustomActions shown={own} stop={stop} onDone={toCall} />
        <h2 class="group">Built in</h2>
        {found.length > 0 ? (
          <ul class="actions">
            {found.map((builtin) => (
              <Item key={builtin.identifier} builtin={builtin} stop={stop} />
            ))}
          </ul>
        ) : (
          <p class="empty">No built-in action matches “{filter.value}”.</p>
        )}
      </details>
    </section>
  );
}

// The neutral identifier, and beside it that of one platform where there is one.
const namesOf = ({ identifier: name, neutral = name }: Builtin): string[] => [...new Set([neutral, name])];

function Item({ builtin, stop }: { builtin: Builtin; stop: string | undefined }) {
  const { identifier: name, neutral = name, title, example } = builtin;
  const now = identifier.value.toLowerCase();
  const on = now === name || now === neutral;
  return (
    <li class={on ? "on" : ""}>
      <button type="button" class="action" data-identifier={neutral} aria-pressed={now === neutral} tabIndex={stop === neutral ? 0 : -1} onClick={() => pick(neutral, example)}>
        <span>{title}</span>
        <Name>{neutral}</Name>
      </button>
      {on && neutral !== name && (
        <button type="button" class="alias" aria-pressed={now === name} tabIndex={stop === name ? 0 : -1} onClick={() => pick(name, example)}>
          <span class="hidden">{title}, </span>also <Name>{name}</Name>
        </button>
      )}
    </li>
  );
}
