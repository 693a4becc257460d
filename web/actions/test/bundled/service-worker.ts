// A service worker as README.md has it, in a bundle that is no module, so that it names the program.
import { browserHost, createActions, type Host } from "@rehearsal/actions";
import program from "@rehearsal/actions/actions.wasm";
import { triggerAnywhere } from "@rehearsal/actions/service-worker";

declare const self: ServiceWorkerGlobalScope;

const userData: Host["userData"] = { addTag() {}, removeTag() {}, sendEvent() {} };
const actions = createActions({ host: { ...browserHost(), userData }, locateFile: () => program });
actions.register("refresh-offers", ({ arguments: args, source }) => `refreshed ${JSON.stringify([args, source])}`);
actions.start();

self.addEventListener("push", (event) => {
  const { action, arguments: args, ...payload } = event.data!.json();
  event.waitUntil(triggerAnywhere(actions, action, args, { kind: "push", payload }));
});
self.addEventListener("notificationclick", (event) => {
  const { action, arguments: args } = event.notification.data;
  event.waitUntil(triggerAnywhere(actions, action, args, { kind: "push" }, { open: "/" }));
});

// What follows is the test's: the page has events dispatched, and is told what they wait for.
self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("message", (event) => {
  const { type, data } = event.data;
  const waitUntil = (done: Promise<unknown>) => event.waitUntil(done.then((result) => event.source!.postMessage({ result })));
  self.dispatchEvent(Object.assign(new Event(type), { waitUntil, data: { json: () => data }, notification: { data } }));
});
