// A service worker that performs what is pushed, and what a click on a notification asks for.
import { actions, performAll } from "./worker.js";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function tell(what) {
  for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage(what);
}

addEventListener("message", (event) => event.waitUntil(performAll().then(tell)));

addEventListener("push", (event) => {
  const { action, ...payload } = event.data.json();
  event.waitUntil(actions.trigger(action, {}, { kind: "push", payload }).then(({ status, value }) => tell({ pushed: [status, value?.value] })));
});
