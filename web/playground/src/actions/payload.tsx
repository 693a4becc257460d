// The fields of a call: its arguments, and the handler of an action of the person's own.

import { computed } from "@preact/signals";
import { CodeField } from "../editor/field";
import { custom, identifier, ownAction, text } from "../sessions/state";

const own = (): string[] => custom.value.map((action) => action.name);

const json = () =>
  import("../editor/json").then(({ json, actionGuide }) => json(actionGuide({ identifier: () => identifier.value, own })));

const javascript = () => import("../editor/handler").then(({ handler }) => handler(own));

/** The field for the arguments. */
export const Payload = () => (
  <CodeField
    id="payload"
    label="Arguments as JSON"
    text={text}
    onChange={(changed) => (text.value = changed)}
    language={json}
    depends={() => identifier.value}
  />
);

const source = computed(() => ownAction.value?.source ?? "");

// What is typed runs at the next call.
function setSource(changed: string): void {
  const now = ownAction.value;
  if (now && changed !== now.source) custom.value = custom.value.map((action) => (action === now ? { ...now, source: changed } : action));
}

/** The field for the handler of the chosen action. */
export function Handler() {
  return (
    <>
      <CodeField id="handler" label="Handler in JavaScript" text={source} onChange={setSource} language={javascript} />
      <p class="note">
        Changes apply to the next call. The handler runs in a worker of its own, for up to ten seconds, and cannot reach this page,
        its data or the network.
      </p>
    </>
  );
}
