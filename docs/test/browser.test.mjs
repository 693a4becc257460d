// The site in a browser, served by the program under its policy, without any other host.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { nightly } from "../../web/actions/test/support/level.mjs";
import { newContext } from "../../web/playground/test/support/clock.mjs";
import { launch, missing, root, serve } from "./site.mjs";

const reason = missing();
const shots = join(root, "build/docs-shots");

describe("the site in a browser", { skip: reason && !process.env.REQUIRE_ALL ? reason : false }, () => {
  let server, browser;
  before(async () => {
    assert.equal(reason, "");
    mkdirSync(shots, { recursive: true });
    server = await serve();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.stop();
  });

  /** Opens a page, and collects what goes wrong in it. */
  async function open(path, options) {
    const context = await newContext(browser, server, { viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.faults = [];
    page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
    page.on("pageerror", (error) => page.faults.push(String(error)));
    page.on("request", (request) => request.url().startsWith(server.origin) || page.faults.push(`asks ${request.url()}`));
    await page.goto(server.origin + path);
    await page.locator("h1").first().waitFor();
    return page;
  }

  const onChange = { 1440: "light", 390: "dark" }; // each size and each colour once
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    for (const colorScheme of nightly ? ["light", "dark"] : [onChange[width]]) {
      for (const path of ["", "how-to/load-a-dataset.html", "reference/commands.html", "explanation/specification.html"]) {
        test(`/guide/${path} at ${width}, ${colorScheme}`, async () => {
          const page = await open(`/guide/${path}`, { viewport: { width, height }, colorScheme });
          await page.waitForLoadState("networkidle");
          assert.equal(await page.evaluate(() => document.documentElement.classList.contains("dark")), colorScheme === "dark");
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
          await page.screenshot({ path: join(shots, `${path.replace(/\W/g, "-") || "index"}-${width}-${colorScheme}.png`) });
          assert.deepEqual(page.faults, []);
          await page.context().close();
        });
      }
    }
  }

  test("/guide leads to the site", async () => {
    const page = await open("/guide", {});
    assert.equal(new URL(page.url()).pathname, "/guide/");
    await page.context().close();
  });

  test("there is a way back to the page of the server", async () => {
    const page = await open("/guide/how-to/load-a-dataset.html", {});
    await page.getByRole("link", { name: "Server page" }).click();
    await page.waitForURL(`${server.origin}/`);
    assert.equal(await page.title(), "The page");
    await page.context().close();
  });

  test("a search finds a page, without another host", async () => {
    const page = await open("/guide/", {});
    await page.keyboard.press("Control+k");
    await page.locator("input[type=search]").fill("move the clock");
    await page.locator(".results .result", { hasText: "Move the clock" }).first().click();
    await page.locator("h1", { hasText: "Move the clock" }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a link within the site changes the page without a fault", async () => {
    const page = await open("/guide/tutorials/first-export.html", {});
    await page.locator(".vp-doc").getByRole("link", { name: "move the clock" }).click();
    await page.waitForURL(/move-the-clock/);
    await page.locator("h1", { hasText: "Move the clock" }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
});
