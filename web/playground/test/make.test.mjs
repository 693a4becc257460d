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
const rows = (page) => page.locator(".grid tbody tr");
const counted = (page, number) => page.getByText(new RegExp(`\\b${number.toLocaleString("en")} rows?\\b`)).first().waitFor();
const json = (page) => page.locator(".compose .editor .cm-content");

/** Chooses a kind and a scenario that does not wait. */
async function choose(page, kind, scenario = "progress=now") {
  await page.locator("#kind").selectOption(kind);
  if (scenario) {
    const fold = page.locator(".scenario");
    if (!(await fold.evaluate((element) => element.open))) await fold.locator("> summary").click();
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
      const heads = await page.locator(".grid thead th").allInnerTexts();
      const names = heads.slice(1).map((head) => head.split(/\s/)[0]);
      for (const name of names) assert.ok(kind.columns.some((column) => column.name === name) || name === "favourite_colour", name);
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download" }).click();
      const file = readFileSync(await (await downloading).path(), "utf8");
      const first = await rows(page).first().locator("td").allInnerTexts();
      if (kind.format === "CSV") {
        const [header, line] = file.split("\n");
        assert.deepEqual(names, header.split(";"));
        assert.deepEqual(first, line.split(";"));
        await counted(page, file.split("\n").length - 2);
      } else {
        const items = JSON.parse(file);
        assert.ok(first.includes(items[0].identifiers.profile_id), first.join());
        await counted(page, items.length);
      }
      // What the plot says is what the file says: its numbers stand in a table.
      if (!kind.columns.some(({ source }) => source === "event.date")) return;
      const figure = page.locator("figure.plot");
      await page.getByText("Events over time", { exact: true }).click();
      await figure.waitFor();
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
    await page.locator(".grid thead", { hasText: "favourite_shop" }).waitFor();
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
    await page.getByRole("radio", { name: "curl" }).check();
    await choose(page, "userbase", "rows=3");
    await page.getByRole("button", { name: "maintenance: 503" }).click();
    await page.getByLabel("The request as curl").filter({ hasText: "error=MAINTENANCE_ERROR" }).waitFor();
    await send(page);
    await page.locator(".answer.bad", { hasText: "503 MAINTENANCE_ERROR" }).waitFor();
    await page.locator(".answer strong", { hasText: "Retry-After: 30" }).waitFor();
    await page.getByRole("button", { name: "server error: 500" }).click();
    await page.getByLabel("The request as curl").filter({ hasText: "error=SERVER_ERROR" }).waitFor();
    await page.getByRole("button", { name: "server error: 500" }).click();
    await page.getByRole("button", { name: "ends in ERROR" }).click();
    await page.getByRole("button", { name: "done at once" }).click();
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
    await page.locator(".scenario[open] > summary", { hasText: "1 set on the server" }).waitFor(); // it stays open
    await set.getByRole("button", { name: /^Delete/ }).click();
    await set.waitFor({ state: "detached" });
    await send(page);
    await page.locator(".states").waitFor();
    page.faults = page.faults.filter((fault) => !/status of 500/.test(fault));
  });

  test("a scenario for the next request is met once, by the page too", async () => {
    const page = await open(given);
    await page.getByRole("radio", { name: "curl" }).check();
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
    await page.locator(".scenario > summary").click();
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
    await page.getByRole("button", { name: "moved by hand" }).click();
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

  test("a link that is dead from the start is looked up again from where the file would be", async () => {
    const page = await open(given);
    await choose(page, "userbase", "progress=now; link=410");
    await send(page);
    await page.locator(".trouble").getByText(/FILE_EXPIRED|the file is gone/).waitFor();
    await page.getByRole("button", { name: "Look the export up again" }).click();
    await page.locator(".trouble").getByText(/the file is gone/).waitFor();
    page.faults = page.faults.filter((fault) => !/status of 410/.test(fault));
  });

  test("what is said of a link follows the clock, forward and back", async () => {
    const page = await open(given);
    await choose(page, "userbase");
    await send(page);
    await page.locator(".download").getByText(/^Link works until/).waitFor();
    const { now } = await (await fetch(`${given.origin}/_mock/clock`)).json();
    const move = (body) => fetch(`${given.origin}/_mock/clock`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    await move({ advance: "21m" }); // by another client
    await page.getByText("The link has expired.").waitFor();
    await page.getByRole("button", { name: "Look the export up for a new link" }).click();
    await page.locator(".download").getByText(/^Link works until/).waitFor();
    await move({ advance: "744h" });
    await page.getByText("The file is gone.").waitFor();
    await page.getByRole("button", { name: "Request it again" }).waitFor();
    await move({ set: now });
    await page.locator(".download").getByText(/^Link works until/).waitFor();
  });

  test("the exchange is shown as the journal recorded it", async () => {
    const page = await open(given);
    await choose(page, "userbase", "error=SERVER_ERROR");
    await send(page);
    await page.locator(".answer summary").click();
    await page.getByLabel("Headers and body of the answer").getByText(/x-request-id: /).waitFor();
    await page.locator(".exchange").getByText("error=SERVER_ERROR (header)").waitFor();
    const { requests } = await (await fetch(`${given.origin}/_mock/journal`)).json();
    assert.deepEqual(JSON.parse(await page.locator(".exchange").getByLabel("Payload").innerText()), JSON.parse(requests.at(-1).body));
    page.faults = page.faults.filter((fault) => !/status of 500/.test(fault));
  });

  for (const width of [1280, 390])
    test(`the link in the answer is seen to its end, ${width} wide`, async () => {
      const page = await open(given, { viewport: { width, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
      await choose(page, "userbase");
      await send(page);
      await done(page);
      await page.getByText("Status response").click();
      const answer = page.getByLabel("The answer", { exact: true });
      await answer.getByText(/signature=[\w-]+"/).waitFor();
      assert.equal(await answer.evaluate((pre) => pre.scrollWidth - pre.clientWidth), 0);
      const { file_url } = JSON.parse(await answer.innerText());
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
    await page.getByRole("button", { name: "Forward 21 minutes" }).click();
    await done(page);
    await page.getByRole("button", { name: "Let it run" }).click();
    await page.locator(".clockbar .pill").waitFor({ state: "detached" });
    await page.request.post(`${given.origin}/_mock/clock`, { data: { rate: 60 } }); // by another client
    await page.locator(".clockbar .pill", { hasText: "60 times as fast" }).waitFor();
    await page.getByRole("button", { name: "Back to real time" }).click();
    await page.locator(".clockbar .pill").waitFor({ state: "detached" });
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
    await page.locator(".result").getByRole("button", { name: "Copy link" }).click();
    await page.locator(".result").getByRole("button", { name: "Copied" }).waitFor();
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

  test("every row of a file is a number away", async () => {
    const page = await open(given);
    await page.locator("#kind").selectOption("profiles.events");
    await page.getByRole("button", { name: "−90 d" }).click();
    await choose(page, "profiles.events");
    await send(page);
    await rows(page).first().waitFor();
    await page.getByLabel("From row").fill("120");
    await page.getByLabel("From row").press("Enter");
    await rows(page).first().locator("th", { hasText: /^120$/ }).waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await rows(page).first().locator("th", { hasText: /^20$/ }).waitFor();
  });

  test("filters and counts", async () => {
    const page = await open(given);
    await choose(page, "profiles.events");
    await send(page);
    await done(page);
    await rows(page).first().waitFor();
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
    await page.getByRole("radio", { name: "curl" }).check();
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
