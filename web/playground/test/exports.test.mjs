// The exports half: its commands are those of the server's own landing page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nightly } from "../../actions/test/support/level.mjs";
import { start } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";
import { eventually } from "./support/person.mjs";

const undate = (line) => line.replace(/"from":"[^"]*"/, '"from":"…"');
const plain = (html) =>
  html
    .replaceAll("&#34;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#43;", "+")
    .replaceAll("&amp;", "&");

onPage("the exports", (given) => {
  test("show the lines of the landing page", async () => {
    const landing = await start({ web: false });
    const page = await given.open({ hash: "#exports/commands", ready: false });
    const html = await (await fetch(landing.origin)).text();
    await landing.stop();
    const expected = [...html.matchAll(/<pre tabindex="0">([^]*?)<\/pre>/g)].map(([, line]) =>
      undate(plain(line).replaceAll(landing.origin, given.origin)),
    );
    const kinds = [...html.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, kind]) => kind);
    assert.equal(expected.length, 8);
    await eventually(async () => assert.deepEqual((await page.locator(".command pre").allInnerTexts()).map(undate), expected));
    await eventually(async () => assert.deepEqual(await page.locator("tbody th").allInnerTexts(), kinds));
  });

  test("copy a line", async () => {
    const page = await given.open({ hash: "#exports/commands", ready: false, permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy" }).nth(2).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `curl -so campaign.csv "$(grep -o 'http[^"]*' record.json)" && head -n 5 campaign.csv`,
    );
  });

  test("offer scenarios that the server knows", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await page.getByText("none: everything goes well").click();
    const header = page.getByLabel(/X-Mock-Scenario/);
    const choices = page.locator(".scenario button.chip");
    const offered = [];
    for (const choice of await choices.all()) {
      await choice.click();
      offered.push((await header.inputValue()).split("; ").at(-1));
      const answer = await page.request.post(`${given.origin}/_mock/scenarios`, { data: { times: 1, scenario: offered.at(-1) } });
      assert.equal(answer.status(), 201, `${offered.at(-1)}: ${await answer.text()}`);
    }
    await page.request.delete(`${given.origin}/_mock/scenarios`);
    assert.ok(offered.includes("progress=stuck") && offered.includes("only"), offered.join());
  });

  // At night: a busy machine draws in more frames. On a change craft has the main button of every view stay where it is.
  (nightly ? test : () => {})("show the lines for a shell without moving what stands below them", async () => {
    const observe = () => {
      window.moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.moved += value))).observe({ type: "layout-shift", buffered: true });
    };
    const page = await given.open({ hash: "#exports/commands", ready: false, prepare: (page) => page.addInitScript(observe) });
    await page.locator(".steps li").nth(4).waitFor();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const moved = await page.evaluate(() => window.moved);
    assert.ok(moved < 0.1, `a cumulative layout shift of ${moved}`);
  });

  test("show the clock of the server, and say when it cannot be had", async () => {
    const page = await given.open({ hash: "#exports/commands", ready: false });
    await page.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/).waitFor();
    await page.route("**/_mock/clock", (route) => route.abort());
    await page.reload();
    await page.getByText("not known").waitFor();
    await page.unroute("**/_mock/clock");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/).waitFor();
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });

  test("do not load the editor or the plots before they are asked for", async () => {
    const page = await given.open({ hash: "#exports/commands", ready: false });
    const loaded = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.reload();
    await page.waitForTimeout(2000);
    assert.deepEqual(
      loaded.filter((url) => /(editor|plots)-/.test(url)),
      [],
    );
  });
});
