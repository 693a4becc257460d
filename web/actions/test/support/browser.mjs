// Describes tests that run in a browser of the machine.
import { after, before, describe, test } from "node:test";
import { engine, engines } from "./engines.mjs";
import { serve } from "./server.mjs";

export { engine, launchChromium as launch } from "./engines.mjs";

/**
 * Describes tests that need a browser. Without one they are skipped, with the reason, unless REQUIRE_ALL is set. What is given has
 * `page(path)`, which opens a new page of the test server in a context of its own, `origin`, and `browser`. ACTIONS_ENGINE names the engine.
 */
export function inBrowser(name, options, define) {
  const missing = engines[engine].missing();
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
      given.launched = await engines[engine].launch({ args: options.args, server: given.server });
      given.browser = given.launched.browser;
      given.page = async (path = "/", contextOptions = {}) => {
        const page = await given.launched.newPage(contextOptions);
        page.faults = [];
        page.on("pageerror", (error) => page.faults.push(String(error)));
        await page.goto(given.origin + path);
        return page;
      };
    });
    after(async () => {
      await given.launched?.close();
      await given.server?.close();
    });
    define(given);
  });
}
