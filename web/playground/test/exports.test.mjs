// The exports half: the scenarios that it offers, the clock, and what it loads.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";

onPage("the exports", (given) => {
  test("offer scenarios that the server knows", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await page.getByText("Everything goes well").click();
    const header = page.getByLabel(/X-Mock-Scenario/);
    const choices = page.locator(".scenario [data-scenario]");
    const offered = [];
    for (const choice of await choices.all()) {
      await choice.click();
      offered.push((await header.inputValue()).split("; ").at(-1));
    }
    offered.push(...(await page.locator("#scenario-forms option").evaluateAll((all) => all.map(({ value }) => value))));
    for (const scenario of offered) {
      const answer = await page.request.post(`${given.origin}/_mock/scenarios`, { data: { times: 1, scenario } });
      assert.equal(answer.status(), 201, `${scenario}: ${await answer.text()}`);
    }
    await page.request.delete(`${given.origin}/_mock/scenarios`);
    assert.ok(offered.includes("progress=stuck") && offered.includes("only"), offered.join());
  });

  test("show the clock of the server, and say when it cannot be had", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
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
    const page = await given.open({ hash: "#exports", ready: false });
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
