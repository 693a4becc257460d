// Describes tests that run in a browser of the machine.
import { after, before, describe, test } from "node:test";
import { engine, engines } from "./engines.mjs";
import { nightly } from "./level.mjs";
import { serve } from "./server.mjs";

export { engine, launchChromium as launch } from "./engines.mjs";

async function open(given, launched, path = "/", contextOptions = {}) {
  const page = await launched.newPage(contextOptions);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  await page.goto(given.origin + path);
  return page;
}

/**
 * Opens a page in each engine, and looks at it there. Others than the one that is tested are started once, at night, and left out where
 * they are not.
 */
async function everywhere(given, path, look) {
  await look(await given.page(path));
  for (const [name, { launch, missing }] of Object.entries(nightly ? engines : {})) {
    if (name === engine || (missing() && !process.env.REQUIRE_ALL)) {
      continue;
    }
    if (!given.others.has(name)) {
      given.others.set(name, await launch({ server: given.server }));
    }
    await look(await open(given, given.others.get(name), path));
  }
}

/**
 * Describes tests that need a browser. Without one they are skipped, with the reason, unless REQUIRE_ALL is set. What is given has
 * `page(path)`, which opens a new page of the test server in a context of its own, `everywhere(path, look)`, which does so in every
 * engine at night, `origin`, and `browser`. ACTIONS_ENGINE names the engine.
 */
export function inBrowser(name, options, define) {
  const missing = engines[engine].missing();
  if (missing && !process.env.REQUIRE_ALL) {
    test(name, { skip: missing }, () => {});
    return;
  }
  // The time is for tests that hang: their names are told then.
  describe(name, { timeout: 1_200_000 }, () => {
    const given = { contexts: [], others: new Map() };
    before(async () => {
      if (missing) {
        throw new Error(missing);
      }
      given.server = await serve(options);
      given.origin = given.server.origin;
      given.launched = await engines[engine].launch({ args: options.args, server: given.server });
      given.browser = given.launched.browser;
      given.page = (path, contextOptions) => open(given, given.launched, path, contextOptions);
      given.everywhere = (path, look) => everywhere(given, path, look);
    });
    after(async () => {
      for (const launched of [given.launched, ...given.others.values()]) await launched?.close();
      await given.server?.close();
    });
    define(given);
  });
}
