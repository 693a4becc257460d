// The host of a real page: what the browser really does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, inBrowser } from "./support/browser.mjs";

// The page that links lead to tells the server whether it can reach the page that it came from.
const other = '<!doctype html><title>other</title>other<script>fetch("/told?" + (window.opener === null ? "alone" : "with opener"))</script>';
const routes = { "/other": () => ({ type: "text/html", body: other }), "/told": () => ({ status: 204, body: "" }) };

// What a test can set in place of the user: in Firefox an answer that was given, in WebKitGTK nothing.
const testIn = (...names) => (names.includes(engine) ? test : () => {});
const asked = { granted: testIn("chromium", "firefox"), denied: testIn("chromium", "firefox"), prompt: testIn("chromium") };
const inChromium = testIn("chromium");

inBrowser("the browser as host", { routes }, (given) => {
  /** Opens the page; permissions are set as a user would have. */
  async function open(permissions = {}) {
    const page = await given.page("/page/host.html");
    for (const [name, setting] of Object.entries(permissions)) {
      if (engine === "firefox") {
        await page.context().userContext.setPermissions(given.origin, { name }, setting);
        continue;
      }
      const cdp = await given.browser.newBrowserCDPSession();
      const { targetInfo } = await (await page.context().newCDPSession(page)).send("Target.getTargetInfo");
      await cdp.send("Browser.setPermission", {
        permission: { name },
        setting,
        origin: given.origin,
        browserContextId: targetInfo.browserContextId,
      });
    }
    await page.waitForFunction(() => window.ready); // Firefox tells of a program whose loading the reload ends
    await page.reload();
    await page.waitForFunction(() => window.ready);
    await page.waitForTimeout(0);
    return page;
  }

  /** Waits for what the page that a link leads to tells. */
  const opened = () => new Promise((resolve) => given.server.onRequest((path) => path.startsWith("/told?") && resolve(decodeURI(path))));

  /** Performs by a click of the user's. */
  async function click(page, identifier, args, registry = "actions") {
    await page.evaluate((next) => void (window.next = next), [registry, identifier, args]);
    await page.click("#go");
    return page.evaluate(() => window.done);
  }

  /** Performs from the page's own code, without a gesture. */
  const script = (page, identifier, args, registry = "actions") =>
    page.evaluate(
      (next) =>
        new Promise((resolve) => {
          const [registry, identifier, args] = next;
          // The gesture that evaluating counts as ends after some seconds; what is asked for here is a page that has none.
          const wait = () =>
            navigator.userActivation.isActive ? setTimeout(wait, 50) : window[registry].perform(identifier, args).then((r) => resolve(window.show(r)));
          wait();
        }),
      [registry, identifier, args],
    );

  test("a click copies a text to the real clipboard", async () => {
    const page = await open();
    const paste = async () => {
      await page.fill("#paste", "");
      await page.focus("#paste");
      await page.evaluate(() => {
        window.pasted = new Promise((resolve) => document.querySelector("#paste").addEventListener("paste", () => setTimeout(resolve), { once: true }));
      });
      await page.keyboard.press("Control+V");
      await page.evaluate(() => window.pasted); // it comes from another process: the key alone is no sign of it
      return page.inputValue("#paste");
    };
    assert.equal((await click(page, "service.clipboard", { t: "from ünïcode 🎭" })).status, "performed");
    assert.equal(await paste(), "from ünïcode 🎭");
    assert.equal((await click(page, "service.group", { actions: [["service.clipboard", { t: "in a group" }]] })).status, "performed");
    assert.equal(await paste(), "in a group");
    assert.equal((await click(page, "service.clipboard", { t: "" })).status, "performed");
    assert.equal(await paste(), "");
  });

  inChromium("a clipboard that the browser refuses is blocked", async () => {
    const page = await open({ "clipboard-write": "denied" });
    const { status, message } = await click(page, "service.clipboard", { t: "x" });
    assert.equal(status, "blocked");
    assert.match(message, /clipboard/);
  });

  test("without a gesture the clipboard is blocked, and capability says so before", async () => {
    const page = await given.page("/");
    const seen = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const frame = document.createElement("iframe");
          frame.src = "/page/host.html";
          document.body.append(frame);
          window.addEventListener("message", ({ data }) => resolve(data));
          setTimeout(() => resolve("no answer"), 60000);
          frame.onload = async () => {
            const page = frame.contentWindow;
            while (!page.ready || page.navigator.userActivation.isActive) await new Promise((go) => setTimeout(go, 50));
            const states = ["service.clipboard", "service.deeplink", "service.request_notifications", "service.dismiss"];
            const state = states.map((identifier) => page.actions.capability(identifier).state);
            resolve([state, (await page.actions.perform("service.clipboard", { t: "x" })).status]);
          };
        }),
    );
    assert.deepEqual(seen, [["needs_gesture", "needs_gesture", "needs_gesture", "unsupported"], "blocked"]);
  });

  test("nothing is awaited before the browser is called: the call is in the click's own stack", async () => {
    const page = await open();
    const seen = await page.evaluate(async () => {
      const calls = [];
      let inClick = false;
      const spy = (object, name, answer) =>
        Object.defineProperty(object, name, { configurable: true, value: () => (calls.push([name, inClick]), answer) });
      spy(Clipboard.prototype, "writeText", Promise.resolve());
      spy(Notification, "requestPermission", Promise.resolve("granted"));
      spy(window, "open", null);
      Object.defineProperty(Notification, "permission", { configurable: true, get: () => "default" });
      const { actions } = window;
      actions.register("mine", (invocation) => invocation.perform("service.clipboard", { t: "x" }));
      actions.start();
      const performs = [
        ["service.clipboard", { t: "x" }],
        ["service.request_notifications"],
        ["service.smart_reoptin"],
        ["service.deeplink", { l: "/other" }],
        ["service.group", { actions: [["service.clipboard", { t: "x" }]] }],
        ["mine"],
      ];
      const states = [];
      document.body.addEventListener("click", () => {
        inClick = true;
        states.push(actions.capability("service.clipboard").state);
        for (const perform of performs) actions.perform(...perform);
        actions.trigger("service.clipboard", { t: "x" }, { kind: "push" });
        inClick = false;
      });
      window.next = ["actions", "nothing"];
      return new Promise((resolve) => {
        document.body.addEventListener("click", () => resolve([calls, states]));
        window.listening = true;
        setTimeout(() => document.body.click(), 0);
      });
    });
    const [calls, states] = seen;
    const names = ["writeText", "requestPermission", "requestPermission", "open", "writeText", "writeText", "writeText"];
    assert.deepEqual(calls, names.map((name) => [name, true]));
    assert.equal(states.length, 1);
  });

  test("capability sees the gesture", async () => {
    const page = await open();
    await page.evaluate(() => document.body.addEventListener("click", () => (window.state = window.actions.capability("service.clipboard").state)));
    await click(page, "service.clipboard", { t: "x" });
    assert.equal(await page.evaluate(() => window.state), "available");
  });

  for (const [setting, notification, permission] of [
    ["granted", "granted", "authorized"],
    ["denied", "denied", "denied"],
    ["prompt", "default", "not_determined"],
  ]) {
    asked[setting](`the real notification permission: ${setting}`, async () => {
      const page = await open({ notifications: setting });
      assert.equal(await page.evaluate(() => Notification.permission), notification);
      const result = await click(page, "service.ios_request_notifications");
      assert.equal(result.status, "performed");
      assert.equal(result.value, permission);
      const again = await click(page, "service.smart_reoptin", {}, "supplied");
      assert.equal(again.status, "performed");
      const settings = setting === "prompt" ? [] : [["settings", "notifications"]];
      assert.deepEqual(await page.evaluate(() => window.seen), settings);
      assert.equal((await click(page, "service.redirect_settings")).status, "unsupported");
    });
  }

  test("a prompt that nobody answers ends as canceled, after two minutes or as the page says", async () => {
    const page = await given.page("/");
    const seen = await page.evaluate(async () => {
      // Long timers go by the test's own clock.
      const { setTimeout: real } = window;
      let now = 0;
      let timers = [];
      window.setTimeout = (run, milliseconds = 0) => (milliseconds < 1000 ? real(run, milliseconds) : timers.push({ run, at: now + milliseconds }));
      window.after = async (milliseconds) => {
        now += milliseconds;
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter(({ at }) => at > now);
        for (const { run } of due) run();
        await new Promise((resolve) => real(resolve, 0));
        return window.ended.splice(0);
      };
      Notification.requestPermission = () => new Promise(() => {});
      Object.defineProperty(Notification, "permission", { configurable: true, get: () => "default" });
      const { browserHost, createActions } = await import("/dist/index.js");
      const registries = [createActions(), createActions({ host: browserHost({ promptTimeout: 300_000 }) })];
      window.ended = [];
      for (const [i, actions] of registries.entries()) {
        await actions.load();
        actions.perform("service.group", { actions: [["service.request_notifications", {}]] }).then(({ items }) => ended.push([i, items[0].status, items[0].message]));
      }
      return ended.length;
    });
    const after = (milliseconds) => page.evaluate((milliseconds) => window.after(milliseconds), milliseconds);
    assert.equal(seen, 0);
    assert.deepEqual(await after(119_000), []);
    assert.deepEqual(await after(2_000), [[0, "canceled", "service.ios_request_notifications: the prompt for notifications was not answered within 120 s"]]);
    assert.deepEqual(await after(178_000), []);
    assert.deepEqual(await after(2_000), [[1, "canceled", "service.ios_request_notifications: the prompt for notifications was not answered within 300 s"]]);
    assert.deepEqual(page.faults, []);
  });

  test("a link opens a new tab that cannot reach the page, from a gesture", async () => {
    const page = await open();
    const told = opened();
    assert.equal((await click(page, "service.deeplink", { l: "/other" })).status, "performed");
    assert.equal(await told, "/told?alone");
    assert.equal(new URL(await page.url()).pathname, "/page/host.html");
  });

  test("without a gesture the tab is blocked", async () => {
    const page = await open();
    const { status, message } = await script(page, "service.deeplink", { l: "/other" });
    assert.equal(status, "blocked");
    assert.match(message, /gesture/);
  });

  test("a link inside the app goes to it in this tab", async () => {
    const page = await open();
    await page.evaluate(() => void window.actions.perform("service.deeplink", { l: "/other", li: true }));
    await page.waitForURL("**/other");
  });

  const another = "myapp://offers/7";
  if (engine === "webkit") {
    // The page is left at once, so that a click could not be asked what came of it.
    test("a link of another program leads to an error page of WebKitGTK's browser, where there is no such program", async () => {
      const page = await open();
      assert.equal((await script(page, "service.deeplink", { l: another })).status, "performed");
      await page.waitForURL(`**${another}`);
    });
  } else {
    test("a link of another program leaves the page where it is", async () => {
      const page = await open();
      const failed = engine === "chromium" && page.waitForEvent("requestfailed"); // Firefox does not tell
      assert.equal((await click(page, "service.deeplink", { l: another })).status, "performed");
      if (failed) assert.equal((await failed).url(), another);
      assert.equal(new URL(await page.url()).pathname, "/page/host.html");
    });
  }

  test("links that run code are refused, however they are written, and nothing is asked", async () => {
    const page = await open();
    const links = ["javascript:window.ran=1", " JavaScript:window.ran=1", "java\nscript:window.ran=1", "\u0001javascript:window.ran=1", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:http://x/y"];
    for (const l of links) {
      for (const li of [true, false]) {
        assert.equal((await click(page, "service.deeplink", { l, li }, "supplied")).status, "invalid_arguments", l);
      }
    }
    assert.deepEqual(await page.evaluate(() => [window.ran, window.seen]), [undefined, []]);
  });

  test("what the page supplies is used; without it, unsupported", async () => {
    const page = await open();
    const performs = [
      ["service.dismiss", {}],
      ["service.ios_redirect_settings", {}],
      ["service.rating", {}],
      ["service.ios_tracking_consent", {}],
      ["service.user.tag", { a: "add", c: "colors", t: "red" }],
      ["service.user.tag", { a: "remove", c: "colors", t: "red" }],
      ["service.user.event", { e: "bought", l: "label", t: ["a"], a: { n: 1n.toString() } }],
    ];
    for (const [identifier, args] of performs) {
      assert.equal((await click(page, identifier, args)).status, "unsupported", identifier);
      assert.equal((await click(page, identifier, args, "supplied")).status, "performed", identifier);
    }
    await click(page, "service.deeplink", { l: "/mine/1" }, "supplied");
    await click(page, "service.deeplink", { l: "/other?x=1", li: true }, "supplied");
    assert.deepEqual(await page.evaluate(() => window.seen), [
      ["dismiss"],
      ["settings", "notifications"],
      ["review"],
      ["tracking"],
      ["add", "colors", "red"],
      ["remove", "colors", "red"],
      ["event", { name: "bought", label: "label", tags: ["a"], data: { n: "1" } }],
      ["interceptor", "/mine/1"],
      ["interceptor", "/other?x=1"],
      ["navigate", `${given.origin}/other?x=1`],
    ]);
  });

  test("a host refuses by an error with a code; anything else it throws is failed", async () => {
    const page = await open();
    const results = await page.evaluate(async () => {
      const { actions, HostError } = window;
      const revoked = Proxy.revocable({}, {});
      revoked.revoke();
      const things = {
        blocked: new HostError("blocked", "no"), unsupported: new HostError("unsupported", "not here"), canceled: new HostError("canceled", "changed my mind"),
        failed: new HostError("failed", "broken"), error: new Error("an error"), odd: new HostError("performed", "a lie"), text: "a text", null: null, proxy: revoked.proxy,
        native: new DOMException("no", "NotAllowedError"),
      };
      const results = {};
      for (const [name, thing] of Object.entries(things)) {
        const throws = actions.create({ host: { clipboard: { write: () => { throw thing; } } } });
        const rejects = actions.create({ host: { clipboard: { write: () => Promise.reject(thing) } } });
        const [a, b] = [await throws.perform("service.clipboard", { t: "" }), await rejects.perform("service.clipboard", { t: "" })];
        results[name] = [a.status, b.status, a.message === b.message && a.message.length > 0, Object.is(a.cause, thing) && Object.is(b.cause, thing)];
      }
      const missing = actions.create({ host: { clipboard: {} } });
      results.missing = [(await missing.perform("service.clipboard", { t: "" })).status];
      return results;
    });
    const failed = ["failed", "failed", true, true];
    assert.deepEqual(results, {
      blocked: ["blocked", "blocked", true, true],
      unsupported: ["unsupported", "unsupported", true, true],
      canceled: ["canceled", "canceled", true, true],
      failed, error: failed, odd: failed, text: failed, null: failed, proxy: failed, native: failed,
      missing: ["failed"],
    });
    assert.deepEqual(page.faults, []);
  });
});
