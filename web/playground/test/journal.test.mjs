// The journal as a person uses it: from a lint to its request, from a request to its export, and the request once more.

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
  await page.getByText("live", { exact: true }).waitFor();
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
    await inspector(page).getByText("the export was created", { exact: true }).waitFor();
    assert.equal(await inspector(page).locator(".lintlist li").count(), 1);
  });

  test("leads from a request to its export, and its state", async () => {
    const page = await open(given);
    const { requestId } = await (await create(given, "live_demo", { "x-mock-scenario": "progress=now" })).json();
    await rows(page).last().click();
    const link = inspector(page).locator(`a[href="#exports/file/${requestId}"]`);
    await link.waitFor();
    assert.match(await link.locator("xpath=..").innerText(), /SUCCESS/);
  });

  test("shows the requests of one key", async () => {
    const page = await open(given);
    await create(given, "live_demo");
    await create(given, "dev_demo");
    await rows(page).nth(1).waitFor();
    await page.getByLabel("Key", { exact: true }).selectOption("dev_demo");
    await eventually(async () => assert.equal(await rows(page).count(), 1));
    assert.match(await rows(page).first().innerText(), /\/1\.0\/dev_demo\//);
  });

  test("sends a request again as it was changed, and opens the answer", async () => {
    const page = await open(given);
    await create(given, "live_demo");
    await rows(page).first().click();
    await inspector(page).getByLabel("Payload").fill('{"ids":["nonsense"]}');
    await inspector(page).getByRole("button", { name: "Send POST again" }).click();
    await rows(page).nth(1).waitFor();
    await inspector(page).getByText(/^400/).waitFor();
    const { requests } = await (await fetch(`${given.origin}/_mock/journal`)).json();
    assert.deepEqual(requests.map(({ body, status }) => [body, status]), [
      ['{"ids":["install_id"]}', 202],
      ['{"ids":["nonsense"]}', 400],
    ]);
    await inspector(page).getByLabel("POST, path and query").fill("elsewhere");
    await inspector(page).getByText("Cannot be sent: the path begins with a slash.").waitFor();
    page.faults = page.faults.filter((fault) => !/status of 400/.test(fault));
  });

  test("sends a request again with other headers, and with the credentials of the page where they are masked", async () => {
    const page = await open(given);
    await create(given, "live_demo", { "x-mock-scenario": "progress=manual" });
    await rows(page).first().click();
    const headers = inspector(page).getByLabel("Headers, one a line");
    assert.equal(await headers.inputValue(), "X-Authorization: [redacted]\nContent-Type: application/json\nX-Mock-Scenario: progress=manual");
    const again = inspector(page).getByRole("button", { name: "Send POST again" });
    await again.click();
    await rows(page).nth(1).waitFor();
    await page.locator(".requestlist li:first-child .request[aria-pressed=true]").waitFor();
    await headers.fill("X-Authorization: rest_of_nobody\nContent-Type: application/json\nX-Mock-Scenario: rows=1");
    await again.click();
    await inspector(page).getByText(/^401/).waitFor();
    const { requests } = await (await fetch(`${given.origin}/_mock/journal`)).json();
    assert.deepEqual(requests.map(({ status }) => status), [202, 202, 401]);
    assert.deepEqual(requests[1].applied, [{ source: "header", scenario: "progress=manual" }]);
    for (const [line, obstacle] of [
      ["X-Authorization rest_demo", "the header “X-Authorization rest_demo” is no name, colon and value"],
      ["Authorization: [redacted]", "the header Authorization has a value that the journal left out, and the page has none of its own: write one"],
      ["X-Ü: 1", "the header X-Ü has a character that headers cannot have"],
      ["Host: elsewhere.example", "the header Host is set by the browser alone: use a shell for it"],
    ]) {
      await headers.fill(line);
      await inspector(page).getByText(`Cannot be sent: ${obstacle}.`, { exact: true }).waitFor();
      assert.equal(await again.getAttribute("aria-disabled"), "true");
    }
    page.faults = page.faults.filter((fault) => !/status of 401/.test(fault));
  });

  test("shows each scenario on the server, without moving the requests, and deletes it", async () => {
    const page = await open(given);
    const top = async () => (await page.locator(".requests .empty, .requestlist").boundingBox()).y;
    const before = await top();
    await page.getByText("Scenarios on the server: none.").waitFor();
    const onServer = async () => (await (await fetch(`${given.origin}/_mock/scenarios`)).json()).scenarios.length;
    const wanted = { match: { stage: "create" }, times: 2, scenario: "error=SERVER_ERROR" };
    await page.request.post(`${given.origin}/_mock/scenarios`, { data: wanted });
    const all = page.getByLabel("Scenarios that are set on the server");
    await all.getByText("create, for 2 more", { exact: true }).waitFor(); // by another client, and seen without a press
    assert.ok(Math.abs((await top()) - before) < 1, `the requests moved from ${before} to ${await top()}`);
    assert.equal((await create(given, "live_demo")).status, 500);
    await all.getByText("create, for 1 more", { exact: true }).waitFor();
    assert.equal((await create(given, "live_demo")).status, 500);
    await all.waitFor({ state: "detached" }); // used up
    await page.request.post(`${given.origin}/_mock/scenarios`, { data: wanted });
    await all.getByRole("button", { name: /^Delete/ }).click();
    await all.waitFor({ state: "detached" });
    assert.equal(await onServer(), 0);
    assert.equal((await create(given, "live_demo")).status, 202);
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
