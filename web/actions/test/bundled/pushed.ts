// A page that does what its service worker hands over.
import { createActions } from "@rehearsal/actions";
import program from "@rehearsal/actions/actions.wasm";
import { receive } from "@rehearsal/actions/service-worker";

const actions = createActions({ locateFile: () => new URL(program, import.meta.url) });
actions.register("show", ({ arguments: { text }, source }) => `shown ${text} (${source.kind})`);
actions.start();
receive(actions);

/** Has the worker dispatch an event, and gives what came of it. */
function dispatch(worker: ServiceWorker, type: string, data: object): Promise<string> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", function hear({ data }) {
      if (!data.result) return;
      navigator.serviceWorker.removeEventListener("message", hear);
      resolve([data.result.status, data.result.value ?? data.result.message].join(" "));
    });
    worker.postMessage({ type, data });
  });
}

async function main(): Promise<string[]> {
  await navigator.serviceWorker.register("./service-worker.js");
  const worker = (await navigator.serviceWorker.ready).active!;
  return [
    await dispatch(worker, "push", { action: "refresh-offers", arguments: { city: "Rome" }, id: 7 }),
    await dispatch(worker, "push", { action: "show", arguments: { text: "offers" } }),
    await dispatch(worker, "notificationclick", { action: "show", arguments: { text: "more" } }),
  ];
}

main().then(
  (results) => (document.title = JSON.stringify(results)),
  (error: unknown) => (document.title = String(error)),
);
