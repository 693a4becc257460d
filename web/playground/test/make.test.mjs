// Making exports as a person does: every kind, from the form to the rows of its file.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nightly } from "../../actions/test/support/level.mjs";
import { now } from "./support/clock.mjs";
import { eventually } from "./support/person.mjs";
import { catalog } from "./support/schemas.mjs";
import { onPage } from "./support/stage.mjs";

const { kinds } = await catalog();
const open = (given, options = {}) => given.open({ hash: "#exports", ready: false, ...options });
const compose = (page) => page.locator(".compose");
const send = (page) => page.getByRole("button", { name: "Send the request" }).click();
const done = (page) => page.locator(".states .now.SUCCESS").waitFor();
const rows = (page) => page.locator(".grid [role=row]:not(.head, .coming)");
const json = (page) => page.locator(".compose .editor .cm-content");

/** Chooses a kind and a scenario that does not wait. */
async function choose(page, kind, scenario = "progress=now") {
  await page.locator("#kind").selectOption(kind);
  if (scenario) {
    const fold = compose(page).locator("details.fold", { hasText: "Scenario" });
    if (!(await fold.evaluate((element) => element.open))) await fold.locator("summary").click();
    await page.getByLabel(/X-Mock-Scenario/).fill(scenario);
  }
}

/** Types a payload over the one that is there. */
async function type(page, text) {
  await page.getByRole("radio", { name: "JSON", exact: true }).check();
  await json(page).waitFor();
  await json(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** On a change one kind for each view: the others differ in what the server writes. */
const tried = kinds.filter(({ view }, i) => nightly || kinds.findIndex((kind) => kind.view === view) === i);

onPage("making exports", (given) => {
  for (const kind of tried) {
    test(`${kind.kind}: from the form to the rows`, async () => {
      const page = await open(given);
      await choose(page, kind.kind);
      await send(page);
      await done(page);
      await rows(page).first().waitFor();
      const heads = await page.locator(".grid .head [role=columnheader]").allInnerTexts();
      const names = heads.slice(1).map((head) => head.split(/\s/)[0]);
      for (const name of names) assert.ok(kind.columns.some((column) => column.name === name) || name === "favourite_colour", name);
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download" }).click();
      const file = readFileSync(await (await downloading).path(), "utf8");
      const first = await rows(page).first().locator("[role=cell]").allInnerTexts();
      if (kind.format === "CSV") {
        const [header, line] = file.split("\n");
        assert.deepEqual(names, header.split(";"));
        assert.deepEqual(first, line.split(";"));
        await page.getByText(`${(file.split("\n").length - 2).toLocaleString("en")} rows`).first().waitFor();
      } else {
        const items = JSON.parse(file);
        assert.ok(first.includes(items[0].identifiers.profile_id), first.join());
        await page.getByText(`${items.length.toLocaleString("en")} rows`).first().waitFor();
      }
      // What columns and plot say is what the file says, and the numbers of the plot stand behind it in a table.
      const segment = page.locator(".columns > ul > li", { hasText: /^smart_segment / }).locator(".contents").first();
      if (kind.view === "installations") {
        const [head, ...lines] = file.trimEnd().split("\n").map((line) => line.split(";"));
        const distinct = new Set(lines.map((line) => line[head.indexOf("smart_segment")]).filter(Boolean)).size;
        await eventually(async () => assert.match(await segment.innerText(), new RegExp(`${distinct} distinct`)));
      }
      if (!kind.columns.some(({ source }) => source === "event.date")) return;
      const figure = page.locator("figure.plot");
      await figure.locator("summary").click();
      if (kind.view === "installation-changes") await page.locator("figcaption", { hasText: "Opt-in over time" }).waitFor();
      assert.ok((await figure.locator(".scrolled tbody tr").count()) > 0, kind.kind);
      if (kind.journey.length > 0) {
        const counted = kind.journey[0].event;
        const heads = await figure.locator(".scrolled thead th").allInnerTexts();
        const cells = await figure.locator(`.scrolled tbody td:nth-child(${heads.indexOf(counted) + 1})`).allInnerTexts();
        const sum = cells.reduce((total, count) => total + Number(count.replaceAll(",", "")), 0);
        assert.equal(sum, file.split(new RegExp(`\\b${counted}\\b`)).length - 1);
      }
    });
  }

  test("the form and the JSON are the same payload", async () => {
    const page = await open(given);
    await choose(page, "campaign.events", "");
    await page.getByRole("checkbox", { name: "push_error" }).uncheck();
    await page.getByRole("checkbox", { name: "advertising_id" }).check();
    const from = page.locator("fieldset", { hasText: /^from/ });
    await from.getByLabel(/from, a date/).fill("2026-01-31T08:30:00");
    await page.getByRole("radio", { name: "JSON", exact: true }).check();
    const expected = { from: "2026-01-31T08:30:00", to: "now", events: ["push_sent", "push_open"], ids: ["install_id", "custom_id", "advertising_id"] };
    await eventually(async () => assert.deepEqual(JSON.parse(await json(page).innerText()), expected));
    await type(page, '{"from":"now","to":"now","events":["push_error"],"ids":["custom_id"]}');
    await page.getByRole("radio", { name: "Form", exact: true }).check();
    await eventually(async () => assert.equal(await page.getByRole("checkbox", { name: "push_error" }).isChecked(), true));
    assert.equal(await page.getByRole("checkbox", { name: "push_sent" }).isChecked(), false);
    await page.getByRole("button", { name: "Example" }).click();
    await eventually(async () => assert.equal(await page.getByRole("checkbox", { name: "push_sent" }).isChecked(), true));
  });

  test("attributes may be the person's own, and a segment filters", async () => {
    const page = await open(given);
    await choose(page, "profiles.attributes");
    await page.getByLabel("Others, separated by commas").fill("favourite_shop, shoe size");
    await page.locator("fieldset", { hasText: /^filter/ }).getByLabel("segment").fill("vip");
    await page.getByRole("radio", { name: "JSON", exact: true }).check();
    await eventually(async () => {
      const payload = JSON.parse(await json(page).innerText());
      assert.deepEqual(payload.attributes.slice(-2), ["favourite_shop", "shoe size"]);
      assert.deepEqual(payload.filter, { segment: "vip" });
    });
    await send(page);
    await done(page);
    await page.locator(".grid .head", { hasText: "favourite_shop" }).waitFor();
  });

  test("the editor completes from the schema and says what it refuses", async () => {
    const page = await open(given);
    await choose(page, "in-app-campaign.events", "");
    await type(page, '{"events": [""], "form": "now", "to": "yesterday", "ids": []}');
    const faults = page.locator(".faults li");
    await eventually(async () =>
      assert.deepEqual((await faults.allInnerTexts()).sort(), [
        'events[0] must be one of inapp_supplied, inapp_shown, inapp_clicked or inapp_closed; found ""',
        "form is not known here: allowed are from, to, events, ids; did you mean from?",
        "from is missing: it is required",
        "ids must be an array of at least 1 item; found no items",
        'to must be a UTC date and time as YYYY-MM-ddTHH:mm:ss, without a zone, or the lower-case word now; found "yesterday"',
      ]),
    );
    await type(page, '{"events": ["');
    await page.keyboard.press("Control+Space");
    const offers = page.locator(".cm-tooltip-autocomplete .cm-completionLabel");
    await eventually(async () => assert.ok((await offers.allInnerTexts()).includes('"inapp_clicked"')));
  });

  test("what the server refuses is shown in its words", async () => {
    const page = await open(given);
    await choose(page, "campaign.events", "");
    await type(page, '{"from":"now","to":"now","event":["push_sent"],"ids":["install_id"]}');
    await send(page);
    await page.locator(".answer.bad", { hasText: "400 MISSING_PARAMETER" }).waitFor();
    assert.match(await page.locator(".answer.bad").innerText(), /events/);
    page.faults = page.faults.filter((fault) => !/status of 400/.test(fault));
  });

  test("a scenario is a header, from the menu or typed", async () => {
    const page = await open(given);
    await choose(page, "userbase", "rows=3");
    await page.getByRole("button", { name: "maintenance: 503" }).click();
    await page.getByLabel("The request as curl").filter({ hasText: "error=MAINTENANCE_ERROR" }).waitFor();
    await send(page);
    await page.locator(".answer.bad", { hasText: "503 MAINTENANCE_ERROR" }).waitFor();
    await page.getByText("Retry-After: 30 seconds").waitFor();
    await page.getByRole("button", { name: "server error: 500" }).click();
    await page.getByLabel("The request as curl").filter({ hasText: "error=SERVER_ERROR" }).waitFor();
    await page.getByRole("button", { name: "server error: 500" }).click();
    await page.getByRole("button", { name: "in ERROR" }).click();
    await page.getByRole("button", { name: "at once" }).click();
    await send(page);
    await page.locator(".states .now.ERROR").waitFor();
    page.faults = page.faults.filter((fault) => !/status of 503/.test(fault));
  });

  test("a scenario is set on the server for clients that send no header, and deleted", async () => {
    const page = await open(given);
    await choose(page, "userbase", "error=SERVER_ERROR");
    await page.getByRole("radio", { name: "All, until deleted" }).check();
    const set = page.getByLabel("Scenarios that are set on the server").locator("li");
    await set.filter({ hasText: "error=SERVER_ERROR" }).waitFor();
    await send(page);
    await page.locator(".answer.bad", { hasText: "500 SERVER_ERROR" }).waitFor();
    await compose(page).locator("details.fold[open] > summary", { hasText: "(1 set on the server)" }).waitFor(); // it stays open
    await set.getByRole("button", { name: /^Delete/ }).click();
    await set.waitFor({ state: "detached" });
    await send(page);
    await page.locator(".states").waitFor();
    page.faults = page.faults.filter((fault) => !/status of 500/.test(fault));
  });

  test("a scenario for the next request is met once, by the page too", async () => {
    const page = await open(given);
    await choose(page, "userbase", "error=SERVER_ERROR");
    await page.getByRole("radio", { name: "Next request" }).check();
    const set = page.getByLabel("Scenarios that are set on the server").locator("li");
    await set.filter({ hasText: "for 1 more" }).waitFor();
    assert.doesNotMatch(await page.getByLabel("The request as curl").innerText(), /X-Mock-Scenario/);
    await send(page);
    await page.locator(".answer.bad", { hasText: "500 SERVER_ERROR" }).waitFor();
    await set.waitFor({ state: "detached" });
    await send(page);
    await done(page);
    page.faults = page.faults.filter((fault) => !/status of 500/.test(fault));
  });

  test("a chip is a switch on the server: it changes the one scenario there, and comes out when another client has met it", async () => {
    const page = await open(given);
    await choose(page, "userbase", "");
    await compose(page).locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
    await page.getByRole("radio", { name: "Next request" }).check();
    const limited = page.getByRole("button", { name: "rate limited: 429" });
    const set = page.getByLabel("Scenarios that are set on the server").locator("li code");
    await page.getByRole("button", { name: "server error: 500" }).click();
    await limited.click();
    await eventually(async () => assert.deepEqual(await set.allInnerTexts(), ["error=TOO_MANY_REQUESTS"]));
    assert.equal(await limited.getAttribute("aria-pressed"), "true");
    const ask = () =>
      fetch(`${given.origin}/1.0/live_demo/export/userbase`, {
        method: "POST",
        headers: { "x-authorization": "rest_demo", "content-type": "application/json" },
        body: '{"ids":["install_id"]}',
      });
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    await set.waitFor({ state: "detached" });
    assert.equal(await limited.getAttribute("aria-pressed"), "false");
    assert.equal((await ask()).status, 202);
    await limited.click();
    await set.waitFor();
    await limited.click();
    await set.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "by hand" }).click();
    await set.waitFor();
    await page.getByRole("radio", { name: "This page’s" }).check(); // what is chosen goes along
    await set.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel(/X-Mock-Scenario/).inputValue(), "progress=manual");
  });

  test("a scenario that is typed is judged by the server as it is typed, and set with Enter", async () => {
    const page = await open(given);
    await choose(page, "userbase", "error=NOBODY");
    const fault = page.locator("#scenario-fault");
    await fault.getByText(/NOBODY.*TOO_MANY_REQUESTS/).waitFor();
    assert.equal(await page.getByLabel(/X-Mock-Scenario/).getAttribute("aria-invalid"), "true");
    await page.getByLabel(/X-Mock-Scenario/).fill("row=0");
    await fault.getByText(/did you mean rows/).waitFor();
    const judged = await (await fetch(`${given.origin}/_mock/scenarios`, { method: "POST", headers: { "content-type": "application/json" }, body: '{"scenario":"row=0"}' })).json();
    assert.equal(await fault.innerText(), judged.message); // in its own words
    await page.getByLabel(/X-Mock-Scenario/).fill("");
    await eventually(async () => assert.equal(await fault.innerText(), ""));
    await page.getByRole("radio", { name: "Next request" }).check();
    const field = page.getByLabel(/Scenario on the server/);
    await field.fill("rows=7; progress=now");
    await page.keyboard.press("Enter");
    const set = page.getByLabel("Scenarios that are set on the server").locator("li");
    await set.filter({ hasText: "for 1 more" }).waitFor();
    await send(page);
    await done(page);
    await page.getByText("7 rows").first().waitFor();
  });

  // On a change one that needs a new link, one that breaks off, and one that ends early.
  const failing = [
    ["error=LINK_EXPIRED", /was not downloaded: 403 LINK_EXPIRED, .+\./, "Look the export up for a new link"],
    ["error=FILE_EXPIRED", /was not downloaded: 410 FILE_EXPIRED, .+\./, "Look the export up for a new link"],
    ["error=SERVER_ERROR", /was not downloaded: 500 SERVER_ERROR, .+\./, "Download it again"],
    ["cut=1000", /was not downloaded: it broke off\. The server says: the download of part 1 ended after 1000 bytes, before its end, scenario cut=1000\./, "Download it again"],
    ["reset=middle", /was not downloaded: it broke off\. The server says: the download of part 1 ended after \d+ bytes, before its end, scenario reset=middle\./, "Download it again"],
    ["length=+10", /was not downloaded: it broke off\. The server says: part 1 was sent, scenario length=\+10\./, "Download it again"],
    ["length=-10", /was downloaded, but has only [\d,]+ of [\d,]+ bytes and ends in the middle of a line\./, "Download it again"],
  ];
  for (const [scenario, said, next] of failing.filter(([name]) => nightly || ["error=LINK_EXPIRED", "cut=1000", "length=-10"].includes(name)))
    test(`a download under ${scenario} says where it was pressed what went wrong and what to do, and then works`, async () => {
      const page = await open(given);
      await choose(page, "userbase");
      await send(page);
      const outcome = page.locator(".download");
      await outcome.getByText(/^Link works until/).waitFor();
      await page.locator(".columns .contents").first().waitFor(); // the page has read the file
      await page.request.post(`${given.origin}/_mock/scenarios`, { data: { match: { stage: "file" }, times: 1, scenario } });
      const button = page.getByRole("link", { name: "Download", exact: true });
      const before = await button.boundingBox();
      await button.click();
      await outcome.getByText(said).waitFor();
      assert.deepEqual(await button.boundingBox(), before);
      await outcome.getByRole("button", { name: next }).click();
      if (next !== "Download it again") {
        await outcome.getByText(/^Link works until/).waitFor();
        await button.click();
      }
      await outcome.getByText(/^userbase\.csv is complete: [\d,]+ bytes\./).waitFor();
      page.faults = page.faults.filter((fault) => !/status of (403|410|500)|ERR_/.test(fault));
    });

  test("a file that was cut off is downloaded, and said to end in the middle of a line", async () => {
    const page = await open(given);
    await choose(page, "userbase", "progress=now; truncated");
    await send(page);
    await page.getByRole("link", { name: "Download", exact: true }).click();
    await page.locator(".download").getByText("userbase.csv was downloaded, but ends in the middle of a line.").waitFor();
  });

  test("a link that is dead from the start is looked up again from where the file would be", async () => {
    const page = await open(given);
    await choose(page, "userbase", "progress=now; link=410");
    await send(page);
    await page.locator(".trouble").getByText(/FILE_EXPIRED|the file is gone/).waitFor();
    await page.getByRole("button", { name: "Look the export up for a new link" }).click();
    await page.locator(".trouble").getByText(/the file is gone/).waitFor();
    page.faults = page.faults.filter((fault) => !/status of 410/.test(fault));
  });

  for (const width of [1280, 390])
    test(`the link in the answer is seen to its end, ${width} wide, and copied whole`, async () => {
      const page = await open(given, { viewport: { width, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
      await choose(page, "userbase");
      await send(page);
      await done(page);
      await page.getByText("Status response").click();
      const answer = page.getByLabel("The answer", { exact: true });
      await answer.getByText(/signature=[\w-]+"/).waitFor();
      assert.equal(await answer.evaluate((pre) => pre.scrollWidth - pre.clientWidth), 0);
      await page.getByRole("button", { name: "Copy the answer" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const { file_url } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      assert.equal((await fetch(file_url)).status, 200);
    });

  test("an export is moved by hand, and by the clock", async () => {
    const page = await open(given);
    await choose(page, "userbase", "progress=manual");
    await send(page);
    await page.locator(".states .now.CREATED").waitFor();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.locator(".states .now.PENDING").waitFor();
    await page.getByRole("button", { name: "Finish" }).click();
    await done(page);
    await choose(page, "userbase", "progress=time:10m");
    await page.getByRole("button", { name: "Freeze" }).click();
    await page.locator(".clockbar .pill", { hasText: "frozen" }).waitFor();
    await send(page);
    await page.locator(".states .now.CREATED").waitFor();
    await page.getByRole("button", { name: "21 minutes" }).click();
    await done(page);
    await page.getByRole("button", { name: "Let it run" }).click();
    await page.locator(".clockbar .pill").waitFor({ state: "detached" });
    await page.getByLabel("Speed of the clock").selectOption("60");
    await page.locator(".clockbar .pill", { hasText: "60 times as fast" }).waitFor();
    await page.getByRole("button", { name: "Back to real time" }).click();
    await page.getByLabel("Speed of the clock").selectOption("1");
  });

  test("links bring a request and an export to others", async () => {
    const page = await open(given, { permissions: ["clipboard-read", "clipboard-write"] });
    await choose(page, "transactional.ids");
    await page.getByLabel("group_id").fill("größe 1");
    await compose(page).getByRole("button", { name: "Copy link" }).click();
    await compose(page).getByRole("button", { name: "Copied" }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await send(page);
    await done(page);
    await page.locator(".watch").getByRole("button", { name: "Copy link" }).click();
    await page.locator(".watch").getByRole("button", { name: "Copied" }).waitFor();
    const shown = await page.evaluate(() => navigator.clipboard.readText());
    const other = await open(given, { hash: new URL(link).hash });
    await eventually(async () => assert.equal(await other.getByLabel("group_id").inputValue(), "größe 1"));
    assert.equal(await other.locator("#kind").inputValue(), "transactional.ids");
    const third = await open(given, { hash: new URL(shown).hash });
    await third.locator(".states .now.SUCCESS").waitFor();
    await third.getByRole("button", { name: "Use as request" }).click();
    await eventually(async () => assert.equal(await third.getByLabel("group_id").inputValue(), "größe 1"));
    const broken = await open(given, { hash: "#exports/make/nonsense" });
    await broken.getByText("This link could not be read").waitFor();
  });

  test("filters and counts", async () => {
    const page = await open(given);
    await choose(page, "profiles.events");
    await send(page);
    await done(page);
    await rows(page).first().waitFor();
    await page.getByLabel("In which column").selectOption({ label: "event_type" });
    await page.getByLabel("Text to look for").fill("email_open");
    await page.getByRole("button", { name: "Filter" }).click();
    const said = page.locator(".filterbar [role=status]", { hasText: /of [\d,]+ rows/ });
    await said.waitFor();
    await rows(page).first().waitFor();
    for (const row of (await rows(page).allInnerTexts()).slice(0, 8)) assert.match(row, /email_open/);
    assert.doesNotMatch(await said.innerText(), /^0 /);
    await page.getByRole("button", { name: "Show all" }).click();
    await said.waitFor({ state: "detached" });
  });

  test("the request as curl does what the page does", { timeout: 180_000 }, async (t) => {
    try {
      execFileSync("sh", ["-c", "command -v curl"]);
    } catch {
      if (process.env.REQUIRE_ALL) throw new Error("there is no curl");
      return t.skip("there is no curl");
    }
    const page = await open(given);
    await choose(page, "campaign.events", "");
    await page.getByLabel("campaign_token").fill("größe '1' $x 🎭");
    const text = await page.getByLabel("The request as curl", { exact: true }).innerText();
    assert.match(execFileSync("sh", ["-c", text], { encoding: "utf8" }), /"requestId"\s*:\s*"[0-9a-f-]{36}"/);
  });

  test("says when the server has gone", async () => {
    const page = await open(given);
    await page.getByText(/UTC/).first().waitFor();
    await page.route("**/*", (route) => route.abort());
    await page.getByText("The server does not answer.").first().waitFor();
    await send(page);
    await page.locator(".answer.bad", { hasText: "No answer" }).waitFor();
    await page.unroute("**/*");
    await page.getByText("The server does not answer.").first().waitFor({ state: "detached" });
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });
});
