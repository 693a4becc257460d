// The fields of a call: its arguments, and the handler of an action of the person's own.

import { computed, signal } from "@preact/signals";
import { messageOf, type Arguments } from "../core/adapter";
import { announcement } from "../core/announcement";
import { CodeField } from "../editor/field";
import { appAction, chosenHosts } from "../sessions/call";
import { register, sessions } from "../sessions/sessions";
import { custom, identifier, ownAction, text } from "../sessions/state";

const session = () => sessions.value[chosenHosts.value[0]!];
const problems = (value: unknown) => session()?.validate(identifier.peek(), value as Arguments) ?? [];
const own = (): string[] => custom.value.map((action) => action.name);

const json = () =>
  import("../editor/json").then(({ json, actionGuide }) => json(actionGuide({ identifier: () => identifier.value, own, problems, schema: () => appAction.value?.schema })));

const javascript = () => import("../editor/handler").then(({ handler }) => handler(own));

/** The field for the arguments. */
export const Payload = () => (
  <CodeField
    id="payload"
    label="Arguments as JSON"
    text={text}
    onChange={(changed) => (text.value = changed)}
    language={json}
    depends={() => [identifier.value, session()?.revision.value]}
  />
);

const source = computed(() => ownAction.value?.source ?? "");
const refusal = signal("");

// What is typed runs at the next call.
function setSource(changed: string): void {
  const now = ownAction.value;
  if (now && changed !== now.source) custom.value = custom.value.map((action) => (action === now ? { ...now, source: changed } : action));
}

function rename(field: HTMLInputElement): void {
  const now = ownAction.value;
  if (!now || field.value === now.name) return;
  try {
    register({ ...now, name: field.value }, now);
    identifier.value = field.value;
    refusal.value = "";
  } catch (error) {
    refusal.value = announcement.value = messageOf(error);
    field.value = now.name;
  }
}

/** The name and the handler of the chosen action. */
export function Handler() {
  return (
    <>
      <label class="field">
        <span>Name of your action</span>
        <input id="own-name" class="mono" autocomplete="off" autocapitalize="off" spellcheck={false} value={ownAction.value?.name} onChange={(e) => rename(e.currentTarget)} />
      </label>
      {refusal.value && <p class="refusal">{refusal.value}</p>}
      <CodeField id="handler" label="Handler in JavaScript" text={source} onChange={setSource} language={javascript} />
      <p class="note">Changes apply to the next call. The handler runs in a worker of its own for up to ten seconds. It cannot reach this page, its data or the network.</p>
    </>
  );
}
