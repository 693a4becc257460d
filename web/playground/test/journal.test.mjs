// The journal as a person uses it: from a lint to its request, from a request to its export, and into the form again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { some } from "../../actions/test/support/level.mjs";
import { eventually } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const rows = (page) => page.locator(".requestlist .request");
const inspector = (page) => page.locator(".inspector");

/** Asks the export API as a back end does. */
const ask = (given, path, { method = "GET", body, headers } = {}) =>
  fetch(given.origin + path, { method, body, headers: { "x-authorization": "rest_demo", "content-type": "application/json", ...headers } });

const create = (given, key, headers) =>
  ask(given, `/1.0/${key}/export/userbase`, { method: "POST", body: '{"ids":["install_id"]}', headers });

async function open(given, options) {
  await fetch(`${given.origin}/_mock/journal`, { method: "DELETE" });
  const page = await given.open({ hash: "#exports/journal", ready: false, ...options });
  await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
  return page;
}

onPage("the journal", (given) => {
  test("shows requests as they come, and leads from a lint to the request that caused it", async () => {
    const page = await open(given);
    await inspector(page).getByText("No problems found").waitFor();
    await create(given, "live_demo", { "x-mock-scenario": "progress=now" });
    await rows(page).filter({ hasText: "POST /1.0/live_demo/export/userbase" }).waitFor();
    assert.match(await rows(page).first().innerText(), /^\d\d:\d\d:\d\d\s+202\s+POST .*progress=now.*\d ms$/s);
    await inspector(page).locator(".lintlist li", { hasText: "final state never read" }).getByRole("button").click();
    await inspector(page).getByRole("heading", { name: /^Request \d+$/ }).waitFor();
    await inspector(page).getByText("202 the export was created").waitFor();
    assert.equal(await inspector(page).locator(".lintlist li").count(), 1);
  });

  test("leads from a request to its export", async () => {
    const page = await open(given);
    const { requestId } = await (await create(given, "live_demo", { "x-mock-scenario": "progress=now" })).json();
    await rows(page).last().click();
    const link = inspector(page).locator(`a[href="#exports/file/${requestId}"]`);
    await link.waitFor();
    await link.click();
    await page.locator(".states .now.SUCCESS").waitFor();
  });

  test("shows the requests of one key", async () => {
    const page = await open(given);
    await create(given, "live_demo");
    await create(given, "dev_demo");
    await rows(page).nth(1).waitFor();
    await page.getByLabel("Filter the requests").fill("DEV_demo");
    await eventually(async () => assert.equal(await rows(page).count(), 1));
    assert.match(await rows(page).first().innerText(), /\/1\.0\/dev_demo\//);
  });

  test("puts a request into the form again, as it was sent", async () => {
    const page = await open(given);
    await create(given, "dev_demo", { "x-mock-scenario": "rows=1" });
    await rows(page).first().click();
    await inspector(page).getByRole("button", { name: "Edit and resend" }).click();
    await eventually(async () => assert.equal(await page.locator("#kind").inputValue(), "userbase"));
    assert.equal(await page.getByLabel("api_key").inputValue(), "dev_demo");
    await page.getByRole("radio", { name: "curl" }).check();
    assert.match(await page.getByLabel("The request as curl").innerText(), /rows=1.*\{ "ids": \["install_id"\] \}/s);
  });

  test("shows what was recorded of an exchange, and nothing else", async () => {
    const page = await open(given);
    await ask(given, "/1.0/live_demo/export/userbase", { method: "POST", body: '{"ids":["custom_id"]}', headers: { "content-type": "text/plain" } });
    await rows(page).first().click();
    await inspector(page).getByText(/the header Content-Type is "text\/plain"/).first().waitFor();
    assert.doesNotMatch(await inspector(page).getByRole("region", { name: "Recorded request" }).innerText(), /Content-Type/);
  });

  test("leaves out the requests of this page, which no lint is about, until they are asked for", async () => {
    const page = await open(given);
    await page.getByRole("link", { name: "Make", exact: true }).click();
    for (let i = 0; i < 2; i++) {
      await page.getByRole("button", { name: "Send the request" }).click();
      await page.locator(".answer.good").waitFor();
    }
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
    await inspector(page).getByText("No problems found").waitFor();
    assert.equal(await rows(page).count(), 0);
    await page.getByLabel("Show requests of this page").check();
    await rows(page).filter({ hasText: "POST /1.0/live_demo/export" }).nth(1).waitFor();
  });

  for (const width of some([390, 820, 1280], 390, 1280))
    test(`has room for the path beside long scenarios at ${width} pixels`, async () => {
      const page = await open(given, { viewport: { width, height: 800 } });
      await create(given, "live_demo", { "x-mock-scenario": "error=TOO_MANY_REQUESTS; retry-after=5s; latency=1ms" });
      const path = rows(page).first().locator("code");
      await path.waitFor();
      assert.ok((await path.boundingBox()).width > 120, "the path is not seen");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    });

  test("is gone through with the arrow keys, from one stop of Tab", async () => {
    const page = await open(given);
    for (const key of ["live_demo", "dev_demo", "live_demo"]) await create(given, key);
    await rows(page).nth(2).waitFor();
    assert.deepEqual(await rows(page).evaluateAll((all) => all.map((row) => row.tabIndex)), [0, -1, -1]);
    await rows(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await inspector(page).getByText("dev_demo", { exact: true }).waitFor();
    assert.deepEqual(await rows(page).evaluateAll((all) => all.map((row) => row.tabIndex)), [-1, 0, -1]);
  });
});
