// Starts the Chromium of the machine.
import { execFileSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

/** Finds Chromium: CHROMIUM names it, or it is on the path. */
function findChromium() {
  for (const name of [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean)) {
    try {
      return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
    } catch {
      // not this one
    }
  }
  return undefined;
}

const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts the browser. Pop-ups are blocked unless a gesture of the user's opens them, as in every browser. */
export function launch(args = []) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...offline, ...args],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
}

/**
 * Describes tests that need a browser. Without one they are skipped, with the reason, unless REQUIRE_ALL is set. What is given has
 * `page(path)`, which opens a new page of the test server in a context of its own, `origin`, and `browser`.
 */
export function inBrowser(name, options, define) {
  const missing = findChromium() === undefined && "there is no Chromium: install it, or name it in CHROMIUM";
  if (missing && !process.env.REQUIRE_ALL) {
    test(name, { skip: missing }, () => {});
    return;
  }
  // The time is for tests that hang: their names are told then.
  describe(name, { timeout: 1_200_000 }, () => {
    const given = { contexts: [] };
    before(async () => {
      if (missing) {
        throw new Error(missing);
      }
      given.server = await serve(options);
      given.origin = given.server.origin;
      given.browser = await launch(options.args);
      given.page = async (path = "/", contextOptions = {}) => {
        const context = await given.browser.newContext(contextOptions);
        const page = await context.newPage();
        page.faults = [];
        page.on("pageerror", (error) => page.faults.push(String(error)));
        await page.goto(given.origin + path);
        return page;
      };
    });
    after(async () => {
      await given.browser?.close();
      await given.server?.close();
    });
    define(given);
  });
}
