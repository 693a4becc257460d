// One person, followed through every kind of export.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { catalog } from "./support/schemas.mjs";
import { onPage } from "./support/stage.mjs";

const { kinds } = await catalog();

onPage("one person", (given) => {
  test("is found in every file, by whatever identifies them there", async () => {
    const page = await given.open({ hash: "#exports/person", ready: false });
    const button = page.getByRole("button", { name: "Follow", exact: true });
    await button.waitFor();
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    await page.getByText("Type an identifier, or pick someone").waitFor();
    await page.getByRole("button", { name: "Pick someone" }).click();
    const field = page.getByLabel("Identifier of a person or an installation");
    await eventually(async () => assert.notEqual(await field.inputValue(), ""));
    const picked = await field.inputValue();
    await button.click();
    const status = page.locator(".person [role=status]");
    await eventually(async () => assert.match(await status.innerText(), /rows in \d+ of 11 files/));
    const parts = page.locator(".person .one");
    assert.deepEqual(await parts.evaluateAll((all) => all.map(({ dataset }) => dataset.state)), kinds.map(() => "there"));
    const said = await status.innerText();
    // Several identifiers are one person: the files of the profiles interface know nothing of what was picked but by the custom one.
    const known = said.slice(said.indexOf("Known as") + 9, -1).split(", ");
    assert.ok(known.includes(picked) && known.length > 2, said);
    const attributes = page.locator(".person .one[aria-label='profiles.attributes']");
    await attributes.getByText(/^1 of /).waitFor();
    // Each row that is shown names the person.
    for (const row of await page.locator(".person .one tbody tr").allInnerTexts()) assert.ok(known.some((one) => row.includes(one)), row);
    // The story is in order, and as long as the rows with a date.
    const times = await page.locator(".story time").allInnerTexts();
    assert.ok(times.length > 0);
    assert.deepEqual(times, [...times].sort());
    assert.deepEqual(await faults(page), []);
  });

  test("is no longer looked for once that is stopped, and may be looked for again", async () => {
    const page = await given.open({ hash: "#exports/person", ready: false });
    let held;
    const asked = new Promise((resolve) => (held = resolve));
    const path = "**/_mock/exports/*/index"; // the first file does not come until the search was stopped
    await page.route(path, (route) => held(route));
    await page.getByLabel("Identifier of a person or an installation").fill("nobody");
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await asked;
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await eventually(async () =>
      assert.deepEqual(new Set(await page.locator(".person .one .refusal").allInnerTexts()), new Set(["stopped before this file was read"])),
    );
    await page.unroute(path);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await eventually(async () => assert.match(await page.locator(".person [role=status]").innerText(), /^Nobody has this identifier/));
  });

  test("who is not there is found nowhere, and not by a part of a name", async () => {
    const page = await given.open({ hash: "#exports/person", ready: false, viewport: { width: 390, height: 844 } });
    await page.getByLabel("Identifier of a person or an installation").fill("profil");
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await eventually(async () => assert.match(await page.locator(".person [role=status]").innerText(), /^Nobody has this identifier/));
    assert.equal(await page.locator(".story").count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
});
