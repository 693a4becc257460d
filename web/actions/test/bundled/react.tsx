// An application in React, in its strict mode, with two roots.
import { createActions } from "@rehearsal/actions";
import { useAction, useLoaded } from "@rehearsal/actions/react";
import { StrictMode, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

interface Own {
  count: { arguments: { add: number }; value: number };
  other: { value: string };
}

export const actions = createActions<Own>();

function Counter() {
  const [count, setCount] = useState(0);
  const { loaded, error } = useLoaded(actions);
  useAction(actions, "count", ({ arguments: { add } }) => {
    setCount(count + add);
    return count;
  });
  // @ts-expect-error: the value is a text
  const wrong = () => useAction(actions, "other", () => 7);
  void wrong;
  return (
    <p id="counter">
      {String(loaded)} {count} {String(error)}
    </p>
  );
}

function Other({ name }: { name: string }) {
  useAction(actions, "other", () => name);
  return <p>{name}</p>;
}

export const application = (
  <StrictMode>
    <Counter />
  </StrictMode>
);

/** Waits until something is so. */
const until = async (so: () => boolean) => {
  while (!so()) await new Promise((resolve) => setTimeout(resolve));
};

async function main(): Promise<unknown[]> {
  let registered = 0;
  actions.on("registered", ({ identifier }) => (registered += Number(identifier === "count")));
  const first = createRoot(document.body.appendChild(document.createElement("div")));
  const second = createRoot(document.body.appendChild(document.createElement("div")));
  const early = actions.perform("count", { add: 1 });
  flushSync(() => first.render(application)); // and its effects, before the program can have come
  flushSync(() => second.render(<Other key="1" name="one" />));
  const shown = () => document.querySelector("#counter")?.textContent ?? "";
  const values = [(await early).value];
  await until(() => shown() === "true 1 undefined");
  values.push((await actions.perform("count", { add: 2 })).value);
  await until(() => shown() === "true 3 undefined");
  const names = [(await actions.perform("other")).value];
  flushSync(() => second.render(<Other key="1" name="two" />));
  names.push((await actions.perform("other")).value);
  flushSync(() => second.render([<Other key="1" name="two" />, <Other key="2" name="three" />])); // hot reload: the new one comes first
  flushSync(() => second.render(<Other key="2" name="three" />));
  names.push((await actions.perform("other")).value);
  first.unmount();
  await until(() => actions.list().length === 1);
  return [values, names, registered, (await actions.perform("count", { add: 1 })).status, actions.list()];
}

if (typeof document === "object") {
  main().then(
    (seen) => (document.title = JSON.stringify(seen)),
    (error: unknown) => (document.title = String(error)),
  );
}
