// Registries that are there before the program is.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder } from "./support/server.mjs";

const program = () => readFileSync(join(packageFolder, "dist/actions.wasm"));
let attempts = 0;
const routes = {
  "/second-time/actions.wasm": () => (attempts++ ? { type: "application/wasm", body: program() } : { status: 503, body: "" }),
};

inBrowser("before the program is there", { routes }, (given) => {
  /** Runs code in a page, with the module, a way to hold the program back, and what was requested. */
  async function inPage(code) {
    const page = await given.page();
    const requests = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    let release;
    const released = new Promise((resolve) => (release = resolve));
    await page.exposeFunction("release", () => release());
    await page.route("**/dist/actions.wasm", async (route) => {
      await released;
      await route.continue();
    });
    const seen = await page.evaluate(`import("/dist/index.js").then(${code})`);
    assert.deepEqual(page.faults, []);
    return { seen, requests: requests.filter((path) => path.endsWith(".wasm")).length };
  }

  test("what is registered, listened to and performed before runs when it is there, in order", async () => {
    const { seen, requests } = await inPage(async ({ createActions }) => {
      const { register, perform, trigger, ...actions } = createActions({ host: { clipboard: { write: (text) => void log.push(text) } } });
      const log = [];
      actions.on("registered", ({ identifier }) => log.push("registered " + identifier));
      const first = register("a", () => "replaced");
      register("A", ({ arguments: args }) => args.n);
      const gone = register("gone", () => {});
      const later = register("later", () => log.push("later"));
      const removed = [first.unregister(), gone.unregister(), gone.unregister(), actions.unregister("nobody")];
      const args = { n: 1 };
      const calls = [perform("a", args), trigger("later", {}, { kind: "push" }), perform("gone"), perform("service.clipboard", { t: "copied" })];
      args.n = 2;
      actions.start();
      const before = [actions.list(), actions.capability("a").state, actions.capability("service.clipboard").state, actions.validate("a").ok, [...log]];
      window.release();
      const results = await Promise.all(calls);
      return { removed, before, log, results: results.map((r) => r.value ?? r.status), after: [actions.list(), actions.validate("a").ok, later.unregister(), actions.list()] };
    });
    assert.deepEqual(seen, {
      removed: [false, true, false, false],
      before: [["A", "later"], "available", "unsupported", false, []],
      log: ["registered A", "registered later", "later", "copied"],
      results: [1, 3, "not_found", "performed"],
      after: [["A", "later"], true, true, ["A"]],
    });
    assert.equal(requests, 1);
  });

  test("nothing is loaded until something is asked for", async () => {
    const { seen, requests } = await inPage(async ({ createActions }) => {
      const actions = createActions();
      actions.register("a", () => {});
      actions.start();
      actions.dispose();
      return actions.loaded;
    });
    assert.deepEqual([seen, requests], [false, 0]);
  });

  test("what is no identifier, or no handler, is refused at once, as the program refuses it", async () => {
    const { seen } = await inPage(async ({ createActions }) => {
      const [early, late] = [createActions(), createActions()];
      window.release();
      await late.load();
      const code = (action) => {
        try {
          return action() ?? "nothing";
        } catch ({ code, message }) {
          return `${code}: ${message}`;
        }
      };
      const texts = ["", " \u0085\u3000", "\ufeff", "x", "SERVICE.x", "serv\u0130ce.x", "service", "\ud800", 7, undefined];
      const refused = (actions) => [
        ...texts.map((text) => code(() => actions.register(text, () => {}).identifier)),
        ...["service.x", "SERV\u0130CE.x"].map((text) => code(() => actions.unregister(text))),
        code(() => actions.register("x", "no function")),
        ...["\u03a3\u0391\u03a3", "I\u0307", "\u0130x", "\u1e9e"].flatMap((text) => [code(() => actions.register(text, () => {}).identifier), actions.unregister(text.toLowerCase())]),
      ];
      return [refused(early), refused(late)];
    });
    assert.deepEqual(seen[0], seen[1]);
    assert.equal(seen[0].filter((text) => /^\w+_identifier: /.test(text)).length, 8, seen[0].join("\n"));
  });

  test("a call can be canceled while it waits", async () => {
    const { seen } = await inPage(async ({ createActions }) => {
      const actions = createActions();
      let calls = 0;
      actions.register("a", () => calls++);
      const controller = new AbortController();
      const { signal } = controller;
      const waiting = actions.perform("a", {}, { signal });
      controller.abort();
      const results = [await waiting, await actions.perform("a", {}, { signal })];
      const odd = actions.perform("a", {}, { signal: "no signal" });
      window.release();
      results.push(await odd);
      return [calls, results.map(({ status, message }) => `${status}: ${message}`)];
    });
    assert.deepEqual(seen, [0, ["canceled: canceled before it began", "canceled: canceled before it began", "failed: the option signal must be an AbortSignal"]]);
  });

  test("a load that fails fails what waits, with its reason, and the next one finds everything", async () => {
    const { seen } = await inPage(async ({ ActionsError, createActions }) => {
      const actions = createActions({ locateFile: (name) => "/second-time/" + name });
      actions.register("a", () => "there");
      const { status, cause } = await actions.perform("a");
      const failed = [status, cause instanceof ActionsError, cause.code, actions.loaded];
      await actions.load();
      return [...failed, actions.loaded, (await actions.perform("a")).value];
    });
    assert.deepEqual(seen, ["failed", true, "fetch_failed", false, true, "there"]);
  });

  test("no more than a thousand calls wait", async () => {
    const { seen } = await inPage(async ({ createActions }) => {
      const actions = createActions();
      actions.register("a", () => {});
      const calls = Array.from({ length: 1001 }, () => actions.perform("a"));
      const last = await calls.pop();
      window.release();
      return [(await Promise.all(calls)).every(({ status }) => status === "performed"), last.message];
    });
    assert.deepEqual(seen, [true, "1000 calls wait for the program already"]);
  });

  test("dispose ends what waits, and what is loading makes no registry", async () => {
    const { seen } = await inPage(async ({ createActions }) => {
      const actions = createActions();
      actions.register("a", () => "performed all the same");
      const waiting = actions.perform("a");
      const loading = actions.load().catch(({ code }) => code);
      actions.dispose();
      const { status, message } = await waiting;
      window.release();
      const codes = ["register", "list", "start"].map((name) => {
        try {
          actions[name]("b", () => {});
        } catch ({ code }) {
          return code;
        }
      });
      return [status, message, await loading, actions.loaded, (await actions.perform("a")).message, ...codes];
    });
    const gone = "the registry was disposed of";
    assert.deepEqual(seen, ["failed", gone, "disposed", false, gone, "disposed", "disposed", "disposed"]);
  });

  test("a wrong list of links is told by load, and a registry of its own by the same program", async () => {
    const { seen, requests } = await inPage(async ({ createActions }) => {
      const actions = createActions();
      const own = actions.create({ platform: "ios" });
      own.register("b", () => "own");
      window.release();
      const values = [(await own.perform("b")).value, (await actions.perform("b")).status, (await own.perform("service.clipboard", { t: "" })).status];
      const code = await createActions({ allowedLinks: ["nonsense"] })
        .load()
        .catch(({ code }) => code);
      return [...values, code];
    });
    assert.deepEqual(seen, ["own", "not_found", "unsupported", "invalid_link_rule"]);
    assert.equal(requests, 1);
  });
});
