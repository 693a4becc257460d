// The page of the API document: it shows every request, sends them with the demo credentials, and can be read by everybody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { some } from "../../actions/test/support/level.mjs";
import { faults } from "./support/axe.mjs";
import { onPage } from "./support/stage.mjs";

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } };

// What the viewer does wrong and we cannot mend from outside: its buttons that copy code have no name.
const known = "button.scalar-code-copy";

onPage("the API document", (given) => {
  const open = async (options) => {
    const page = await given.open({ hash: "docs", ready: false, ...options });
    await page.getByRole("heading", { name: "Legacy exports" }).first().waitFor();
    return page;
  };

  /** The faults but for those that are known. */
  const unknown = async (page) => {
    const others = [];
    for (const fault of await faults(page)) {
      const nameless = /^button-name: (.+): Element /.exec(fault)?.[1];
      if (!nameless || !(await page.locator(nameless).evaluate((button, selector) => button.matches(selector), known))) others.push(fault);
    }
    return others;
  };

  /** The operations of the document. */
  const operations = async (page) => {
    const answer = await page.request.get(`${given.origin}/openapi/full.json`);
    const { paths } = await answer.json();
    return Object.values(paths).flatMap((item) => Object.values(item));
  };

  for (const colorScheme of some(["light", "dark"], "light")) {
    test(`can be read by everybody: ${colorScheme}`, async () => {
      const page = await open({ colorScheme });
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await page.getByRole("button", { name: /^Test Request/ }).first().waitFor();
        assert.deepEqual(await unknown(page), [], size);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(sideways, 0, size);
      }
    });
  }

  test("lists every request", async () => {
    const page = await open();
    const contents = page.locator("aside");
    const folded = contents.locator("button[aria-expanded=false]");
    while ((await folded.count()) > 0) await folded.first().click();
    const shown = await contents.innerText();
    const lost = (await operations(page)).map(({ summary }) => summary).filter((summary) => !shown.includes(summary));
    assert.deepEqual(lost, []);
  });

  test("sends requests with the demo credentials", async () => {
    const page = await open();
    for (const [group, summary, path] of [
      ["Legacy exports", "Export campaign events", "/1.0/live_demo/export/campaign/spring-sale/events"],
      ["Profile exports", "Export profiles", "/2.7/profiles/export"],
      ["Clock", "Gets the clock of the server, or of one key", "/_mock/clock"],
    ]) {
      const entry = page.getByRole("link", { name: new RegExp(`^${summary}`) }).first();
      if (!(await entry.isVisible())) await page.getByRole("button", { name: new RegExp(group) }).first().click();
      await entry.click();
      await page.getByRole("button", { name: new RegExp(`^Test Request.*${path.split("/").at(-1)}\\)`) }).first().click();
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
      await page.getByRole("button", { name: /^Send/ }).first().click();
      const answer = await answered;
      assert.ok([200, 202].includes(answer.status()), `${path}: ${await answer.text()}`);
      await page.keyboard.press("Escape");
    }
    // The exports are never looked up, which is nobody's fault.
    const journal = await (await page.request.get(`${given.origin}/_mock/journal`)).json();
    const { lints } = await (await page.request.get(`${given.origin}/_mock/lints`)).json();
    assert.ok(journal.requests.length >= 2);
    assert.deepEqual(lints, []);
  });

  test("begins with a way past the contents, and leads to the page of the server and back, and to the document", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), "#docs");
    const links = await page.locator(".docs-header a, a.skip").evaluateAll((found) => found.map((link) => link.href));
    assert.equal(links.length, 3);
    for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link);
    await page.getByRole("link", { name: "Page of the server" }).click();
    await page.locator("a[href='docs']").first().waitFor({ state: "attached" });
  });
});

onPage(
  "below a path, which a proxy may take off",
  (given) => {
    test("no page asks for anything outside of it", async () => {
      const asked = [];
      const page = await given.open({ hash: "mock/", ready: false, prepare: (page) => page.on("request", (request) => asked.push(request.url())) });
      const sent = { headers: { "x-authorization": "rest_demo", "x-mock-scenario": "progress=now" }, data: { ids: ["install_id"] } };
      const { requestId } = await (await page.request.post(`${given.origin}/mock/1.0/live_demo/export/userbase`, sent)).json();
      await page.evaluate((id) => (location.hash = `exports/file/${id}`), requestId);
      await page.locator("tbody tr").first().waitFor();
      await page.getByRole("link", { name: "API document" }).click();
      await page.getByRole("heading", { name: "Legacy exports" }).first().waitFor();
      const paths = asked.filter((url) => url.startsWith(given.origin)).map((url) => url.slice(given.origin.length));
      assert.ok(paths.some((path) => path.startsWith("/mock/files/")), "the file was not read");
      assert.deepEqual(paths.filter((path) => !path.startsWith("/mock/")), []);
    });
  },
  ["--public-url", "http://127.0.0.1:1/mock"],
);
