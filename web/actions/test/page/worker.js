// Actions in a worker: dedicated, shared, or a service worker.
import { browserHost, createActions } from "/dist/index.js";

const seen = [];
export const actions = createActions({ host: { ...browserHost(), userData: { addTag: (...tag) => seen.push(tag) } } });
actions.register("double", ({ arguments: { n } }) => n * 2);
actions.register("through", ({ perform, source }) => perform("double", { n: source.payload.n }));
actions.start();

const ask = [
  ["double", { n: 21 }],
  ["service.user.tag", { a: "add", c: "c", t: "t" }],
  ["service.group", { actions: [["double", { n: 1 }], ["service.clipboard", { t: "x" }]] }],
  ["service.deeplink", { l: "/other" }],
  ["service.request_notifications", {}],
  ["service.rating", {}],
];

/** Performs everything, and gives what came of it. */
export async function performAll() {
  const results = [];
  for (const [identifier, args] of ask) {
    const { status, value, items } = await actions.perform(identifier, args);
    results.push([identifier, status, value ?? items?.map((item) => item.status)].filter((part) => part !== undefined));
  }
  const pushed = await actions.trigger("through", {}, { kind: "push", payload: { n: 4 } });
  return { results, pushed: pushed.value.value, capability: actions.capability("service.clipboard").state, seen };
}

const answer = async (port) => port.postMessage(await performAll().catch((error) => String(error)));
if (typeof clients === "undefined") {
  addEventListener("message", () => answer(globalThis));
  addEventListener("connect", ({ ports: [port] }) => answer(port));
}
