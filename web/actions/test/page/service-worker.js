// A service worker that performs what is pushed, and what a click on a notification asks for.
import { triggerAnywhere } from "/dist/service-worker.js";
import { actions, performAll } from "./worker.js";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function tell(what) {
  for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage(what);
}

addEventListener("message", (event) => {
  if (event.data.push) {
    const push = { data: { json: () => event.data.push }, waitUntil: (done) => event.waitUntil(done) };
    dispatchEvent(Object.defineProperties(new Event("push"), Object.fromEntries(Object.entries(push).map(([name, value]) => [name, { value }]))));
  } else {
    event.waitUntil(performAll().then(tell));
  }
});

addEventListener("push", (event) => {
  const { action, arguments: args = {}, options, stubbed, ...payload } = event.data.json();
  const asked = new Date().getTime();
  if (stubbed) stub(stubbed);
  const done = triggerAnywhere(actions, action, args, { kind: "push", payload }, options);
  event.waitUntil(done.then(({ status, value, items }) => tell({ pushed: [status, value?.value ?? value ?? items?.map((item) => item.status)], took: Date.now() - asked })));
});

/** Has the worker see no window until it has opened one, as for a click on a notification. */
function stub() {
  const { matchAll } = clients;
  clients.matchAll = async () => [];
  clients.openWindow = async (url) => {
    delete clients.matchAll;
    delete clients.openWindow;
    return (await matchAll.call(clients, { includeUncontrolled: true })).find((client) => client.url.endsWith(url)) ?? null;
  };
}
