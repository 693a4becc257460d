// One person, followed through every kind of export.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually, someone } from "./support/person.mjs";
import { catalog } from "./support/schemas.mjs";
import { onPage } from "./support/stage.mjs";

const { kinds } = await catalog();

onPage("one person", (given) => {
  test("is found in every file, by whatever identifies them there", async () => {
    const page = await given.open({ hash: "#exports/person", ready: false });
    const picked = await someone(page);
    await page.getByLabel(/^Identifier of a person/).fill(picked);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
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
    assert.deepEqual(await faults(page), []);
  });

  test("who is not there is found nowhere, and not by a part of a name", async () => {
    const page = await given.open({ hash: "#exports/person", ready: false, viewport: { width: 390, height: 844 } });
    await page.getByLabel(/^Identifier of a person/).fill("profil");
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await eventually(async () => assert.match(await page.locator(".person [role=status]").innerText(), /^Nobody has this identifier/));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
});
