// An application in Vue, with two roots.
import { createActions } from "@rehearsal/actions";
import { useAction, useLoaded } from "@rehearsal/actions/vue";
import { createApp, createSSRApp, defineComponent, h, ref } from "vue";

interface Own {
  count: { arguments: { add: number }; value: number };
}

export const actions = createActions<Own>();

const Counter = defineComponent(() => {
  const count = ref(0);
  const { loaded, error } = useLoaded(actions);
  useAction(actions, "count", ({ arguments: { add } }) => {
    count.value += add;
    return count.value;
  });
  // @ts-expect-error: the value is a number
  const wrong = () => useAction(actions, "count", () => "7");
  void wrong;
  return () => h("p", { id: "counter" }, `${loaded.value} ${count.value} ${error.value}`);
});

const Other = defineComponent(() => {
  useAction(actions, "other", () => "other");
  return () => h("p", "other");
});

export const application = () => createSSRApp(Counter);

/** Waits until something is so. */
const until = async (so: () => boolean) => {
  while (!so()) await new Promise((resolve) => setTimeout(resolve));
};

async function main(): Promise<unknown[]> {
  const first = createApp(Counter);
  const second = createApp(Other);
  const early = actions.perform("count", { add: 1 });
  first.mount(document.body.appendChild(document.createElement("div")));
  second.mount(document.body.appendChild(document.createElement("div")));
  const values: unknown[] = [(await early).value];
  const shown = () => document.querySelector("#counter")?.textContent ?? "";
  await until(() => shown() === "true 1 undefined");
  values.push((await actions.perform("count", { add: 2 })).value, (await actions.perform("other")).value);
  await until(() => shown() === "true 3 undefined");
  first.unmount();
  return [values, (await actions.perform("count", { add: 1 })).status, actions.list()];
}

if (typeof document === "object") {
  main().then(
    (seen) => (document.title = JSON.stringify(seen)),
    (error: unknown) => (document.title = String(error)),
  );
}
