// What a page may do by accident or on purpose, and what must not come of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./support/browser.mjs";

async function loaded(given) {
  const page = await given.page();
  await page.evaluate(async () => {
    const { browserHost, loadActions } = await import("/dist/index.js");
    window.browserHost = browserHost;
    window.actions = await loadActions();
    window.actions.start();
    window.restarts = 0;
    window.actions.on("restarted", () => window.restarts++);
  });
  return page;
}

inBrowser("hostile pages", {}, (given) => {
  test("the browser opens no link that runs code, whatever the registry says it runs on", async () => {
    const page = await loaded(given);
    const seen = await page.evaluate(async () => {
      const { actions, browserHost } = window;
      const statuses = [];
      for (const platform of ["ios", "android", "Web"]) {
        const registry = actions.create({ host: browserHost(), platform });
        for (const l of ["javascript:document.title='run'", " JavaScript:document.title='run'", "data:text/html,x", "\ufeffjavascript:document.title='run'"]) {
          statuses.push((await registry.perform("service.deeplink", { l, li: true })).status);
        }
      }
      return { statuses, title: document.title };
    }).catch((error) => ({ statuses: [String(error)], title: "left" }));
    assert.notEqual(seen.title, "run");
    assert.ok(!seen.statuses.slice(0, 3).includes("performed"), seen.statuses.join());
  });

  test("what a disposed registry still runs reaches no other registry", async () => {
    const page = await loaded(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      const first = actions.create({ host: {}, platform: "web" });
      const second = actions.create({ host: {}, platform: "web" });
      const reached = [];
      first.register("n", () => reached.push("first"));
      first.register("d", () => {
        first.dispose();
        second.register("secret", () => reached.push("secret"));
        second.register("another", () => reached.push("another"));
      });
      first.start();
      const group = await first.perform("service.group", { actions: [["d", {}], ["n", { from: "first" }]] });
      const still = await second.perform("secret");
      return { reached, group: group.status, still: still.status, restarts: window.restarts };
    });
    assert.deepEqual(seen.reached, ["secret"]);
    assert.equal(seen.still, "performed");
    assert.equal(seen.restarts, 0);
    assert.notEqual(seen.group, "performed");
  });

  test("aborting after a registry was disposed of does nothing", async () => {
    const page = await loaded(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      const registry = actions.create({ host: {}, platform: "web" });
      const abort = new AbortController();
      registry.register("wait", () => new Promise(() => {}));
      registry.start();
      const pending = registry.perform("wait", {}, { signal: abort.signal });
      registry.dispose();
      abort.abort();
      return { status: (await pending).status, restarts: window.restarts };
    });
    assert.equal(seen.status, "canceled");
    assert.equal(seen.restarts, 0);
  });

  test("arguments that perform while they are read do no harm", async () => {
    const page = await loaded(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      const inner = [];
      const args = {
        get t() {
          inner.push(actions.perform("service.clipboard", { t: "inner".repeat(100) }));
          return 5;
        },
        after: "y".repeat(1000),
      };
      const result = await actions.trigger("service.clipboard", args);
      return { status: result.status, inner: inner.length, restarts: window.restarts };
    });
    assert.equal(seen.status, "invalid_arguments");
    assert.ok(seen.inner > 0);
    assert.equal(seen.restarts, 0);
  });

  test("thousands of faults make one short message", async () => {
    const page = await loaded(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      const tags = await actions.perform("service.user.event", { e: "x", t: Array(20000).fill(1) });
      const group = await actions.perform("service.group", { actions: Array(20000).fill("x") });
      return { statuses: [tags.status, group.status], longest: Math.max(tags.message.length, group.message.length), restarts: window.restarts };
    });
    assert.deepEqual(seen.statuses, ["invalid_arguments", "invalid_arguments"]);
    assert.ok(seen.longest < 4000, `${seen.longest} characters`);
    assert.equal(seen.restarts, 0);
  });

  test("a locateFile that fails is the one clear error", async () => {
    const page = await given.page();
    const codes = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      const codes = [];
      for (const locateFile of [() => { throw new Error("nowhere"); }, () => "http://["]) {
        codes.push(await loadActions({ locateFile }).then(() => "loaded", (error) => error.code));
      }
      return codes;
    });
    assert.deepEqual(codes, ["fetch_failed", "fetch_failed"]);
  });

  test("perform and trigger never reject", async () => {
    const page = await loaded(given);
    const statuses = await page.evaluate(async () => {
      const { actions } = window;
      const throwing = { get kind() { throw new Error("no kind"); } };
      const results = [
        actions.trigger("service.dismiss", {}, throwing), actions.trigger("service.dismiss", {}, "push"), actions.trigger("service.dismiss", {}, { kind: 5 }),
        actions.perform("service.dismiss", {}, { signal: "no signal" }), actions.perform("service.dismiss", {}, { get signal() { throw new Error("no signal"); } }),
      ];
      return (await Promise.all(results)).map((result) => result.status);
    });
    assert.deepEqual(statuses, ["invalid_arguments", "invalid_arguments", "invalid_arguments", "failed", "failed"]);
  });
});
