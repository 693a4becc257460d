// The host for tests, as a team uses it: in Node, with and without a document.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import * as required from "@rehearsal/actions/testing";
import { packageFolder } from "./support/server.mjs";

const { createTestActions, createTestHost } = required;

test("a team's own handler is tested with what it does", async () => {
  const { actions, effects, reset } = createTestActions();
  actions.register("share", ({ perform, arguments: { link } }) => perform("service.clipboard", { t: link }));
  const { status, value } = await actions.perform("share", { link: "https://example.com" });
  assert.deepEqual([status, value.status], ["performed", "performed"]);
  assert.deepEqual(effects, [{ host: "clipboard.write", text: "https://example.com" }]);
  reset();
  assert.deepEqual(effects, []);
  actions.dispose();
});

test("a prompt is answered as the test says, and the permission is kept", async () => {
  const { actions, effects, answer, reset } = createTestActions();
  const optIn = async () => {
    const { status, value, message } = await actions.perform("service.smart_reoptin");
    return value ?? message ?? status;
  };
  assert.match(await optIn(), /nobody answered the prompt for notifications: say answer\("notifications", "authorized"\) before/);
  answer("notifications", "denied");
  assert.equal(await optIn(), "denied");
  assert.deepEqual(effects.splice(0), [{ host: "notifications.request" }, { host: "notifications.request" }]);
  await optIn();
  assert.deepEqual(effects, [{ host: "settings.open", page: "notifications" }]);
  reset();
  answer("notifications", "authorized");
  assert.equal(await optIn(), "authorized");
});

test("capabilities are missing, or refuse, as the test says", async () => {
  const { actions, effects, refuse, reset } = createTestActions({ without: ["reviewer"], platform: "ios", intercept: (url) => url.startsWith("app:") });
  const perform = async (...call) => (await actions.perform(...call)).status;
  assert.equal(await perform("service.rating"), "unsupported");
  refuse("clipboard", "blocked", "not now");
  assert.deepEqual(await actions.perform("service.clipboard", { t: "x" }).then(({ status, message }) => [status, message]), ["blocked", "service.clipboard: not now"]);
  reset();
  assert.equal(await perform("service.clipboard", { t: "x" }), "performed");
  assert.equal(await perform("service.deeplink", { l: "app:offers" }), "performed");
  assert.equal(await perform("service.deeplink", { l: "https://example.com", li: true }), "performed");
  assert.deepEqual(effects, [
    { host: "clipboard.write", text: "x" },
    { host: "interceptor", url: "app:offers" },
    { host: "interceptor", url: "https://example.com" },
    { host: "link.open", url: "https://example.com", in_app: true },
  ]);
});

test("a trigger is delivered at once, or held until start() when the test says so", async () => {
  const perform = async (options) => {
    const { actions } = createTestActions(options);
    let waits = true;
    actions.register("refresh", ({ source }) => [source.kind, waits]);
    await actions.load();
    const result = actions.trigger("refresh", {}, { kind: "push", payload: {} });
    await actions.perform("nobody");
    waits = false;
    actions.start();
    return (await result).value;
  };
  assert.deepEqual(await perform(), ["push", true]);
  assert.deepEqual(await perform({ started: false }), ["push", false]);
});

test("what the host has is available, without a gesture of anybody's", async () => {
  const { actions } = createTestActions({ without: ["notifications"] });
  await actions.load();
  const state = (identifier) => actions.capability(identifier).state;
  assert.deepEqual(["service.clipboard", "service.deeplink", "service.request_notifications"].map(state), ["available", "available", "unsupported"]);
});

test("a host alone is for a registry that the application makes", async () => {
  const { loadActions } = await import("@rehearsal/actions");
  const { host, effects } = createTestHost();
  const actions = await loadActions({ host });
  await actions.perform("service.user.event", { e: "read", l: null, t: ["a"], a: { n: 1 } });
  await actions.perform("service.user.tag", { a: "remove", c: "c", t: "t" });
  assert.deepEqual(effects, [
    { host: "event", name: "read", label: null, tags: ["a"], data: { n: 1 } },
    { host: "tag.remove", collection: "c", tag: "t" },
  ]);
  actions.dispose();
});

test("what Node requires has errors of its own, which are understood", async () => {
  const { createTestActions } = createRequire(import.meta.url)("@rehearsal/actions/testing");
  assert.notEqual(createTestActions, required.createTestActions);
  const { actions, refuse } = createTestActions();
  refuse("dismisser", "canceled");
  assert.equal((await actions.perform("service.dismiss")).status, "canceled");
});

test("with a document of jsdom's, as test runners set it up, the same is true and the page's host is what is there", () => {
  const code = `
    import { JSDOM } from "jsdom";
    const { window } = new JSDOM("", { url: "https://example.com/" });
    for (const name of ["window", "document", "location", "navigator", "AbortController", "AbortSignal", "Event", "EventTarget"]) {
      Object.defineProperty(globalThis, name, { value: name === "window" ? window : window[name], configurable: true });
    }
    for (const name of ["TextEncoder", "TextDecoder", "fetch"]) delete globalThis[name]; // Jest's has none
    const { loadActions } = await import("@rehearsal/actions");
    const { createTestActions } = await import("@rehearsal/actions/testing");
    const { actions, effects } = createTestActions();
    actions.register("show", ({ arguments: { text } }) => void (document.body.textContent = text));
    await actions.perform("show", { text: "shown" }, { signal: new AbortController().signal });
    await actions.perform("service.clipboard", { t: "x" });
    const page = await loadActions();
    const statuses = await Promise.all(["service.clipboard", "service.request_notifications"].map((name) => page.perform(name, { t: "x" })));
    process.stdout.write([document.body.textContent, effects.length, ...statuses.map(({ status }) => status)].join());
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: join(packageFolder), encoding: "utf8", timeout: 60_000 });
  assert.equal(output, "shown,1,unsupported,unsupported");
});
