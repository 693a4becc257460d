// The loop: what is tapped on the page is a row in the files of the next exports, and resetting removes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { imported } from "./support/schemas.mjs";
import { onPage } from "./support/stage.mjs";

const { counted } = await imported("ui/format.ts");

const panel = (page) => page.getByRole("region", { name: "1. Tap a message" });
const show = (page) => panel(page).getByRole("button", { name: "Show the message" }).click();
const tap = (page, name) => panel(page).getByRole("button", { name }).click();
const events = async (page) => (await page.locator(".recorded .events li.there strong").allInnerTexts()).reverse();
const open = async (given, options = {}) => {
  const page = await given.open({ hash: "#loop", ready: false, ...options });
  await panel(page).locator(".primary:not([aria-disabled=true])").first().waitFor();
  return page;
};

/** Makes the exports, and gives the rows of one kind that are the person's own. */
async function prove(page, kind) {
  await page.getByRole("button", { name: "Make the exports" }).click();
  await page.locator(".one[data-state=there]").nth(2).waitFor();
  const rows = page.getByRole("region", { name: kind }).locator("tbody tr");
  return (await rows.allInnerTexts()).map((row) => row.split("\t"));
}

/** The file of the export that is shown, as it is downloaded. */
async function download(page, kind) {
  await page.getByRole("region", { name: kind }).getByRole("link", { name: "Open the export" }).click();
  await page.locator(".states .now.SUCCESS").waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const stream = await (await downloading).createReadStream();
  let text = "";
  for await (const piece of stream) text += piece;
  return text;
}

const reset = async (page) => {
  const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("button", { name: /^Reset/ }).click();
  await removed;
};

test("what is counted is in the singular when there is one", () => {
  assert.deepEqual([0, 1, 2, 1234].map((n) => counted(n, "row")), ["0 rows", "1 row", "2 rows", "1,234 rows"]);
});

onPage("the loop", (given) => {
  test("a tap on the phone is a row of the in-app campaign, among synthetic ones", async () => {
    const page = await open(given);
    await reset(page);
    await show(page);
    await tap(page, "See the offers");
    await panel(page).getByText("See the offers: performed").waitFor();
    await show(page);
    await panel(page).getByRole("button", { name: "Close the message" }).click();
    const expected = ["inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_supplied", "inapp_shown", "inapp_closed"];
    await eventually(async () => assert.deepEqual(await events(page), expected));
    const rows = await prove(page, "in-app-campaign.events");
    assert.deepEqual(
      rows.map(([install, custom, , type, cta, position]) => [install, custom, type, cta, position]),
      expected.map((type) => [
        "playground-phone",
        "playground",
        type,
        ...(type === "inapp_clicked" ? ["service.deeplink", "0"] : ["", ""]),
      ]),
    );
    const file = await download(page, "in-app-campaign.events");
    const own = file.split("\n").filter((line) => line.startsWith("playground-phone;"));
    assert.equal(own.length, 6);
    assert.ok(own[2].endsWith(";inapp_clicked;service.deeplink;0"), own[2]);
  });

  test("a tap while a reset is under way comes after it", async () => {
    const page = await open(given);
    await reset(page);
    await show(page);
    await tap(page, "See the offers");
    await eventually(async () => assert.deepEqual((await events(page)).slice(0, 2), ["inapp_supplied", "inapp_shown"]));
    let goOn;
    const held = new Promise((resolve) => (goOn = resolve));
    await page.route("**/_mock/data?*", async (route) => {
      if (route.request().method() === "DELETE") await held;
      await route.continue();
    });
    await page.getByRole("button", { name: /^Reset/ }).click();
    await show(page);
    await tap(page, "See the offers");
    goOn();
    await eventually(async () => assert.deepEqual(await events(page), ["inapp_supplied", "inapp_shown", "inapp_clicked"]));
    await page.unrouteAll({ behavior: "wait" });
    const rows = await prove(page, "in-app-campaign.events");
    assert.ok(rows.length > 0, "the tap is lost");
  });

  test("permissions, tags and events reach their exports, and a reset removes everything", async () => {
    const page = await open(given);
    await reset(page);
    await show(page);
    await tap(page, "Keep me posted");
    await panel(page).getByRole("button", { name: "Allow", exact: true }).click();
    await panel(page).getByText("Keep me posted: performed").waitFor();
    await panel(page).getByRole("button", { name: "denied" }).click();
    await show(page);
    await tap(page, "I like running");
    await panel(page).getByText("I like running: performed").waitFor();
    await eventually(async () =>
      assert.deepEqual(await events(page), [
        ...["inapp_supplied", "inapp_shown", "inapp_clicked", "reachability", "reachability"],
        ...["inapp_supplied", "inapp_shown", "inapp_clicked", "tag_added", "custom_event"],
      ]),
    );
    const attributes = await prove(page, "profiles.attributes");
    assert.equal(attributes.length, 1);
    assert.match(attributes[0].join(" "), /running/);
    const reach = await page.getByRole("region", { name: "reachability.events" }).locator("tbody tr").allInnerTexts();
    assert.deepEqual(
      reach.map((row) => [row.split("\t")[0], row.split("\t")[5]]),
      [
        ["playground-phone", "true"],
        ["playground-phone", "false"],
      ],
    );
    await reset(page);
    await page.getByText("Nothing yet. Everything that happens").waitFor();
    await eventually(async () => assert.equal(await page.getByText(/holds 0 events of your own/).count(), 1));
    assert.deepEqual(await prove(page, "in-app-campaign.events"), []);
    await page.getByText("No rows from you yet.").first().waitFor();
  });

  test("rows are those of the keys that exports are made with, and of no other", async () => {
    const page = await open(given);
    await page.evaluate(() => (location.hash = "#exports"));
    await page.getByLabel("api_key").fill("dev_demo");
    await page.evaluate(() => (location.hash = "#loop"));
    await show(page);
    await eventually(async () => assert.equal((await events(page)).length, 2));
    const held = async (key) => {
      const { events, own } = await (await fetch(`${given.origin}/_mock/data${key && `?key=${key}`}`)).json();
      return [events, own];
    };
    assert.deepEqual(await held("dev_demo"), [2, true]);
    assert.deepEqual(await held("project_demo"), [2, true]);
    assert.deepEqual(await held("live_demo"), [0, false]);
    assert.deepEqual(await held(""), [0, undefined]);
    assert.equal((await prove(page, "in-app-campaign.events")).length, 2);
    await reset(page);
    for (const key of ["dev_demo", "project_demo"]) await eventually(async () => assert.deepEqual(await held(key), [0, false]));
  });

  test("a key that the server does not know is told, and keeps no rows from the other", async () => {
    const page = await open(given);
    await page.evaluate(() => (location.hash = "#exports"));
    await page.getByLabel("api_key").fill("live_dmo");
    await page.evaluate(() => (location.hash = "#loop"));
    await show(page);
    await page.getByText(/"live_dmo", which is no application key/).first().waitFor();
    await eventually(async () => assert.equal((await events(page)).length, 2));
    const { events: ofProject } = await (await fetch(`${given.origin}/_mock/data?key=project_demo`)).json();
    assert.equal(ofProject, 2);
    await reset(page);
    await page.getByText("Nothing yet. Everything that happens").waitFor();
    page.faults = page.faults.filter((fault) => !/status of 400/.test(fault));
  });

  test("what the server does not take is said, and not lost sight of", async () => {
    const page = await open(given);
    await page.route(/\/_mock\/data\/events\?/, (route) => route.abort());
    await show(page);
    await page.locator(".recorded li.lost").first().waitFor();
    await page.getByText(/the server does not answer/).first().waitFor();
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 360, height: 740 },
  ])
    for (const colorScheme of ["light", "dark"])
      test(`everybody can use it: ${colorScheme}, ${viewport.width}`, async () => {
        const page = await open(given, { viewport, colorScheme });
        await show(page);
        await eventually(async () => assert.deepEqual(await faults(page), []));
        await tap(page, "Copy my code");
        await panel(page).getByText("Copy my code: performed").waitFor();
        await prove(page, "in-app-campaign.events");
        await page.screenshot({ path: `../../build/playground/views/loop-${viewport.width}-${colorScheme}.png`, fullPage: true });
        await eventually(async () => assert.deepEqual(await faults(page), []));
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wider <= 0, `${wider} pixels too wide`);
      });
});
