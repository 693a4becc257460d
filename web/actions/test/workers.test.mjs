// Workers in a browser: dedicated, shared, and a service worker, which is pushed to and hands over to pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engine, inBrowser } from "./support/browser.mjs";
import { packageFolder, strictPolicy } from "./support/server.mjs";

const file = (name) => () => ({
  type: "text/javascript",
  body: readFileSync(join(packageFolder, "test/page", name)),
  headers: { "content-security-policy": strictPolicy },
});
const routes = { "/workers/worker.js": file("worker.js"), "/workers/service-worker.js": file("service-worker.js") };

/** What all workers can do; links are opened by service workers alone, and by these for a click only. */
const expected = (link) => ({
  results: [
    ["double", "performed", 42],
    ["service.user.tag", "performed"],
    ["service.group", "partial", ["performed", "unsupported"]],
    ["service.deeplink", link],
    ["service.request_notifications", "unsupported"],
    ["service.rating", "unsupported"],
  ],
  pushed: 8,
  capability: "unsupported",
  seen: [["c", "t"]],
});

inBrowser("workers", { routes }, (given) => {
  test("a dedicated worker performs what needs no page", async () => {
    const page = await given.page();
    const seen = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/workers/worker.js", { type: "module" });
          worker.onerror = (event) => reject(new Error(event.message));
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage("go");
        }),
    );
    assert.deepEqual(seen, expected("unsupported"));
  });

  test("a shared worker does", async () => {
    const page = await given.page();
    const seen = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new SharedWorker("/workers/worker.js", { type: "module" });
          worker.onerror = (event) => reject(new Error(event.message));
          worker.port.onmessage = ({ data }) => resolve(data);
        }),
    );
    assert.deepEqual(seen, expected("unsupported"));
  });

  /** Has Chromium itself deliver messages. In the others the worker dispatches them: their drivers cannot. */
  async function pushes(page) {
    const session = await page.context().newCDPSession(page);
    const registered = new Promise((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => first && resolve(first.registrationId));
    });
    await session.send("ServiceWorker.enable");
    return async (message) => session.send("ServiceWorker.deliverPushMessage", { origin: given.origin, registrationId: await registered, data: JSON.stringify(message) });
  }

  /** Opens a page with the service worker. `push` delivers a message, and gives what the worker tells of it. */
  async function withServiceWorker() {
    const page = await given.page();
    const deliver = await (engine === "chromium" ? pushes(page) : (message) => page.evaluate((push) => window.worker.postMessage({ push }), message));
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("/workers/service-worker.js", { type: "module" });
      const ready = () => navigator.serviceWorker.getRegistration("/workers/").then(({ active }) => (active?.state === "activated" ? active : new Promise((r) => setTimeout(r, 10)).then(ready)));
      window.worker = await ready();
      window.told = () =>
        new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("message", function hear({ data }) {
            if (data.rehearsalActions) return;
            navigator.serviceWorker.removeEventListener("message", hear);
            resolve(data);
          });
        });
      navigator.serviceWorker.startMessages();
    });
    const push = async (message) => {
      await page.evaluate(() => void (window.next = window.told()));
      await deliver(message);
      return page.evaluate(() => window.next);
    };
    return { page, push };
  }

  test("a service worker does, and triggers what is pushed", async () => {
    const { page, push } = await withServiceWorker();
    const seen = await page.evaluate(() => {
      const told = window.told();
      window.worker.postMessage("go");
      return told;
    });
    assert.deepEqual(seen, expected("blocked"));
    assert.deepEqual((await push({ action: "through", n: 5 })).pushed, ["performed", 10]);
    assert.deepEqual(page.faults, []);
  });

  test("a service worker hands over to a page what it cannot do, once, and does the rest by itself", async () => {
    const { page, push } = await withServiceWorker();
    const show = () =>
      page.evaluate(async () => {
        const [{ createActions }, { receive }] = await Promise.all([import("/dist/index.js"), import("/dist/service-worker.js")]);
        window.seen = [];
        const host = { clipboard: { write: (text) => void seen.push(text) }, linkOpener: { open: (url, { inApp }) => void seen.push([url, inApp]) } };
        const actions = createActions({ host });
        actions.register("show", async ({ arguments: { text }, source }) => {
          await null;
          seen.push([text, source.kind, source.payload.n]);
          return text;
        });
        actions.register("wild", () => () => "cannot be sent");
        actions.register("double", () => seen.push("not here"));
        actions.start();
        window.end = receive(actions);
      });

    // Nobody is there: the worker says what is missing, and a page that comes later leaves it alone.
    const alone = await push({ action: "show", arguments: { text: "late" }, options: { limit: 300 } });
    assert.deepEqual(alone.pushed, ["not_found", undefined]);
    assert.ok(alone.took >= 300);
    assert.deepEqual((await push({ action: "double", arguments: { n: 4 } })).pushed, ["performed", 8]);

    // The page begins to hear while it is asked.
    await page.evaluate(() => {
      window.asked = new Promise((resolve) => navigator.serviceWorker.addEventListener("message", ({ data }) => data.rehearsalActions && resolve()));
    });
    const asked = push({ action: "show", arguments: { text: "shown" }, n: 1, options: { limit: 20_000 } });
    await page.evaluate(() => window.asked);
    await show();
    assert.deepEqual((await asked).pushed, ["performed", "shown"]);
    assert.deepEqual((await push({ action: "service.group", arguments: { actions: [["service.clipboard", { t: "copied" }], ["wild", {}]] } })).pushed, ["performed", undefined]);
    assert.deepEqual((await push({ action: "wild" })).pushed, ["performed", undefined]);
    for (const args of [{ l: "/cart", li: true }, { actions: [["service.deeplink", { l: "/group", li: true }]] }])
      assert.deepEqual((await push({ action: args.l ? "Service.Deeplink" : "service.group", arguments: args })).pushed[0], "performed");
    const seen = [["shown", "push", 1], "copied", ["/cart", true], ["/group", true]];
    assert.deepEqual(await page.evaluate(() => window.seen), seen);

    // A click on a notification opens the page when there is none.
    const opened = await push({ action: "show", arguments: { text: "opened" }, stubbed: true, options: { open: "/" } });
    assert.deepEqual(opened.pushed, ["performed", "opened"]);

    // What is asked twice is done once, and what is asked too late is left alone.
    const answers = await page.evaluate(async () => {
      const ask = (id, until) => {
        const { port1, port2 } = new MessageChannel();
        const answers = [];
        port1.onmessage = ({ data }) => answers.push(data.status ?? data);
        const data = { rehearsalActions: "trigger", id, until, identifier: "service.clipboard", arguments: { t: id }, source: { kind: "push" } };
        navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data, ports: [port2] }));
        return answers;
      };
      const soon = Date.now() + 60_000;
      const all = [ask("once", soon), ask("once", soon), ask("late", Date.now() - 1), ask("last", soon)];
      while (all.at(-1).length < 2) await new Promise((resolve) => setTimeout(resolve));
      return all;
    });
    assert.deepEqual(answers, [["begun", "performed"], [], [], ["begun", "performed"]]);
    await page.evaluate(() => window.end());
    assert.deepEqual((await push({ action: "show", arguments: {}, options: { limit: 0 } })).pushed, ["not_found", undefined]);
    assert.deepEqual(page.faults, []);
  });
});

// A stand-in of the windows, since a browser lets a worker focus one for a click of a person only.
test("a service worker opens a link in the window that shows it, one that goes there, or a new one", async () => {
  const { browserHost } = await import("../dist/index.js");
  const origin = "https://shop.example";
  let calls;
  const window = (path, visibilityState) => ({
    url: origin + path,
    visibilityState,
    focus: async () => calls.push(`focus ${path}`),
    navigate: async (url) => calls.push(`navigate ${url}`),
  });
  const cases = [
    ["/cart", [window("/", "visible"), window("/cart", "hidden")], ["focus /cart"]],
    ["/cart", [window("/a", "hidden"), window("/b", "visible")], ["focus /b", `navigate ${origin}/cart`]],
    ["/cart", [window("/a", "hidden")], ["focus /a", `navigate ${origin}/cart`]],
    ["/cart", [], [`open ${origin}/cart`]],
    ["https://other.example/", [window("/", "visible")], ["open https://other.example/"]],
  ];
  Object.assign(globalThis, { location: { origin, href: `${origin}/worker.js` } });
  try {
    for (const [link, windows, expected] of cases) {
      calls = [];
      globalThis.clients = { matchAll: async () => windows, openWindow: async (url) => calls.push(`open ${url}`) };
      await browserHost().linkOpener.open(link, { inApp: false });
      assert.deepEqual(calls, expected, link);
    }
  } finally {
    delete globalThis.clients;
    delete globalThis.location;
  }
});
