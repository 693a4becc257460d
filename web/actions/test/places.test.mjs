// Where there is no page: workers in a browser, and Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder, serve, strictPolicy } from "./support/server.mjs";

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

  /** Opens a page with the service worker. `push` delivers a message, and gives what the worker tells of it. */
  async function withServiceWorker() {
    const page = await given.page();
    const session = await page.context().newCDPSession(page);
    const registered = new Promise((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => first && resolve(first.registrationId));
    });
    await session.send("ServiceWorker.enable");
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
    const registrationId = await registered;
    const push = async (message) => {
      await page.evaluate(() => void (window.next = window.told()));
      await session.send("ServiceWorker.deliverPushMessage", { origin: given.origin, registrationId, data: JSON.stringify(message) });
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
        const actions = createActions({ host: { clipboard: { write: (text) => void seen.push(text) } } });
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
    assert.deepEqual(await page.evaluate(() => window.seen), [["shown", "push", 1], "copied"]);

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

describe("Node", () => {
  const folder = mkdtempSync(join(tmpdir(), "places-"));
  const module = pathToFileURL(join(packageFolder, "dist/index.js")).href;
  let server;
  before(async () => (server = await serve()));
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const performs = async ({ createActions, loadActions, browserHost }) => {
    const actions = await loadActions();
    actions.register("double", async ({ arguments: { n } }) => n * 2);
    assert.deepEqual(await actions.perform("Double", { n: 2 }), { status: "performed", value: 4 });
    const { status, message } = await actions.perform("service.clipboard", { t: "x" });
    assert.equal(status, "unsupported");
    assert.match(message, /needs the capability "clipboard", which this host does not have/);
    assert.deepEqual(Object.keys(browserHost()), ["needsGesture"]);
    assert.equal(createActions().capability("service.clipboard").state, "unsupported");
    actions.dispose();
  };

  test("an imported module performs", async () => performs(await import("@rehearsal/actions")));

  test("a required module performs", async () => performs(createRequire(import.meta.url)("@rehearsal/actions")));

  test("importing loads nothing, and a program that has loaded ends by itself", () => {
    const code = (more) => `import(${JSON.stringify(module)}).then(async ({ createActions, version }) => {
      const actions = createActions();
      actions.register("a", () => version);
      process.stdout.write([${more}].join());
    })`;
    const run = (more) => execFileSync(process.execPath, ["-e", code(more)], { encoding: "utf8", timeout: 60_000 });
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    assert.equal(run('actions.list(), actions.capability("a").state, actions.loaded'), "a,available,false");
    assert.equal(run('(await actions.perform("a")).value'), version);
  });

  test("a listener that throws is told in the console, and ends nothing", async (t) => {
    const { loadActions } = await import("@rehearsal/actions");
    const told = t.mock.method(console, "error", () => {});
    const actions = await loadActions();
    actions.register("a", () => 1);
    actions.on("performing", () => {
      throw new Error("a listener's own fault");
    });
    assert.equal((await actions.perform("a")).value, 1);
    assert.match(String(told.mock.calls[0].arguments[0]), /a listener's own fault/);
    actions.dispose();
  });

  test("the program may be elsewhere: another file, a folder of the working directory, or a server", async () => {
    const { createActions } = await import("@rehearsal/actions");
    copyFileSync(join(packageFolder, "dist/actions.wasm"), join(folder, "moved.wasm"));
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      for (const place of [pathToFileURL(join(folder, "moved.wasm")), "moved.wasm", `${server.origin}/dist/actions.wasm`]) {
        const actions = createActions({ locateFile: () => place });
        await actions.load();
        assert.equal((await actions.perform("nobody")).status, "not_found");
      }
    } finally {
      process.chdir(cwd);
    }
  });

  for (const [about, content, code, words] of [
    ["is not there", undefined, "fetch_failed", /cannot be read: ENOENT.*Put actions\.wasm there, or say where it is with the option locateFile/],
    ["is something else", "<!doctype html>", "wrong_type", /is not a WebAssembly program/],
    ["is of another package", Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), "wrong_version", /does not belong to this page/],
  ]) {
    test(`a program that ${about}: ${code}`, async () => {
      const { ActionsError, createActions } = await import("@rehearsal/actions");
      const place = join(mkdtempSync(join(folder, "wrong-")), "actions.wasm");
      if (content !== undefined) writeFileSync(place, content);
      const actions = createActions({ locateFile: () => pathToFileURL(place) });
      await assert.rejects(actions.load(), (error) => {
        assert.ok(error instanceof ActionsError);
        assert.match(error.message, words);
        return error.code === code;
      });
    });
  }

  test("a bundle for a server has the program beside it, or says that it has not", async () => {
    const { build } = await import("esbuild");
    const output = join(folder, "bundle");
    mkdirSync(output);
    const stdin = { contents: 'import { createActions } from "@rehearsal/actions"; export const actions = createActions();', resolveDir: packageFolder };
    await build({ stdin, bundle: true, format: "esm", platform: "node", outfile: join(output, "server.mjs"), logLevel: "error" });
    const { actions } = await import(pathToFileURL(join(output, "server.mjs")).href);
    await assert.rejects(actions.load(), { code: "fetch_failed", message: /Put actions\.wasm there/ });
    copyFileSync(join(packageFolder, "dist/actions.wasm"), join(output, "actions.wasm"));
    await actions.load();
    await build({ stdin, bundle: true, format: "cjs", platform: "node", outfile: join(output, "server.cjs"), logLevel: "silent" });
    const required = createRequire(import.meta.url)(join(output, "server.cjs"));
    await assert.rejects(required.actions.load(), { code: "fetch_failed", message: /^this bundle does not know where actions\.wasm is.*locateFile/ });
  });
});
