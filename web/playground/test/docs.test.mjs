// The page of the API document: axe-core in light and dark, narrow and wide; no sideways scrolling; every link leads somewhere; the
// keyboard reaches what scrolls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { onPage } from "./support/stage.mjs";

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } };

onPage("the API document", (given) => {
  const open = (options) => given.open({ hash: "docs", ready: false, ...options });

  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      test(`can be read by everybody: ${colorScheme}, ${size}`, async () => {
        const page = await open({ viewport, colorScheme });
        // Unfolded, in one group of routes and among the errors: the rest is the same again.
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("#profilesCreate details, #legacyStatus details, .error")) details.open = true;
        });
        assert.deepEqual(await faults(page), []);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(sideways, 0);
      });
    }
  }

  test("has links that lead somewhere, and nothing from elsewhere", async () => {
    const page = await open();
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll("a[href^='#']")].map((link) => link.getAttribute("href")).filter((href) => !document.getElementById(href.slice(1))),
    );
    assert.deepEqual(lost, []);
    assert.equal(await page.locator("script, link[rel=stylesheet], img, iframe").count(), 0);
    const document = await page.request.get(`${given.origin}/openapi.json`);
    assert.equal((await document.json()).openapi, "3.1.0");
  });

  test("begins with a way past the contents", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), "#content");
  });
});
