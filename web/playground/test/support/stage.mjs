// A browser with the page in it, and the faults that no test may leave behind.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { newContext } from "./clock.mjs";
import { missing, start } from "./server.mjs";

const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts the browser. Pop-ups are blocked unless a gesture opens them, as for everybody. */
export const launch = () =>
  chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...offline],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });

/**
 * Describes tests on the page. What is missing skips them, with the reason, unless REQUIRE_ALL is set. `given.open` opens the page
 * in a context of its own; when the test ends, nothing may have gone wrong in it that the test did not expect. `flags` are further
 * ones of the server.
 */
export function onPage(name, define, flags = []) {
  const reason = findChromium() === undefined ? "there is no Chromium: install it, or name it in CHROMIUM" : missing();
  if (reason && !process.env.REQUIRE_ALL) {
    test(name, { skip: reason }, () => {});
    return;
  }
  // The time is for tests that hang: their names are told then.
  describe(name, { timeout: 1_200_000 }, () => {
    const given = { pages: [] };
    before(async () => {
      if (reason) throw new Error(reason);
      given.server = await start({ flags });
      given.origin = given.server.origin;
      given.browser = await launch();
      given.open = (options) => open(given, options);
      given.permit = (page, name, setting) => permit(page, given.origin, name, setting);
    });
    afterEach(async () => {
      const pages = given.pages.splice(0);
      const faults = pages.flatMap((page) => page.faults);
      await Promise.all(pages.map((page) => page.context().close()));
      assert.deepEqual(faults, []);
    });
    after(async () => {
      await given.browser?.close();
      await given.server?.stop();
    });
    define(given);
  });
}

/** Opens the page. `ready` false does not wait for the actions; `prepare` is called with the page before anything is loaded. */
async function open(given, { hash = "", permissions = [], ready = true, prepare, ...options } = {}) {
  const context = await newContext(given.browser, given.server, { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  if (permissions.length > 0) await context.grantPermissions(permissions, { origin: given.origin });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.faults = [];
  given.pages.push(page);
  watch(page, given.origin);
  await prepare?.(page);
  await page.goto(`${given.origin}/${hash}`);
  if (ready) await page.locator("[data-host=phone].verdict:not(.wait)").waitFor();
  return page;
}

/** Sets a permission as the person would in the browser's own settings: "granted", "denied" or "prompt". */
async function permit(page, origin, name, setting) {
  const session = await page.context().newCDPSession(page); // the setting lasts as long as the session
  const { targetInfo } = await session.send("Target.getTargetInfo");
  await session.send("Browser.setPermission", {
    permission: { name },
    setting,
    origin,
    browserContextId: targetInfo.browserContextId,
  });
}

function watch(page, origin) {
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (request.url().startsWith("blob:null/")) return; // a handler's worker: text that is there already
    if (new URL(request.url()).origin !== origin) page.faults.push(`request: ${request.url()}`);
  });
}
