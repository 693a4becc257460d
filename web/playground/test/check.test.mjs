// Checks: faults of payloads and files where they are, and files against each other.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const open = (given) => given.open({ hash: "#exports/validate", ready: false });
const faults = async (page) => (await page.locator(".result-panel .faultlist li p").allInnerTexts()).map((line) => line.trim());
const check = (page) => page.getByRole("button", { name: "Check it" }).click();
const said = (page, text) => page.locator(".result-panel .answer", { hasText: text }).waitFor();

onPage("the checks", (given) => {
  test("find every fault of a pasted payload, by line and column", async () => {
    const page = await open(given);
    await page.locator("textarea").fill('{\n  "from": "now",\n  "to": "soon",\n  "events": ["push_sent"],\n  "ids": []\n}');
    await check(page);
    await said(page, "2 faults in the payload. Checked as legacy/campaign.request.json.");
    const found = await faults(page);
    assert.match(found[0], /^line 3, column 9 .*to/);
    assert.match(found[1], /^line 5, column 10 .*ids/);
    assert.equal(await page.locator(".faulty mark").first().innerText(), '"soon"');
    await page.locator("textarea").fill('{"ids": ["install_id"]}');
    await check(page);
    await said(page, "No faults in the payload. Checked as legacy/userbase.request.json.");
  });

  test("check a file that is chosen, and what is no schema's", async () => {
    const folder = mkdtempSync(join(tmpdir(), "checks-"));
    try {
      const page = await open(given);
      const name = join(folder, "events.csv");
      const row = (position) => `größe;2026-01-01T00:00:00;inapp_clicked;service.deeplink;${position}\n`;
      writeFileSync(name, `install_id;event_date;event_type;cta;cta_position\n${row("0").repeat(5000)}${row("first")}`);
      await page.getByLabel("A file to check", { exact: true }).setInputFiles(name);
      await said(page, "1 fault in 5,001 rows. Checked as legacy/in-app-campaign.events.row.json.");
      assert.match((await faults(page))[0], /^line 5002, column 60 /);
      assert.equal(await page.locator(".faulty mark").innerText(), "first");
      await page.getByRole("button", { name: "Remove" }).click();
      await page.locator("textarea").fill("what; is; this");
      await check(page);
      await page.getByText("choose a schema").waitFor();
      await page.getByLabel("Check as").selectOption("userbase");
      await check(page);
      await said(page, /fault/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("show a file as a table, whatever made it, with its filter and its plots", async () => {
    const page = await open(given);
    const table = page.getByRole("region", { name: /What is in it/ });
    const cells = () => table.locator(".grid .row:not(.head, .coming)").first().locator("[role=cell]").allInnerTexts();
    const take = (name, text) =>
      page.getByLabel("A file to check", { exact: true }).setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

    const row = (i) => `"größe ${i}";${i % 2 === 0};2026-01-01T00:00:00;2026-02-01T00:00:00;${["active", "inactive", "active"][i % 3]}\n`;
    const header = "install_id;is_optin_push;install_date;last_start_date;smart_segment\n";
    await take("userbase.csv", header + Array.from({ length: 3000 }, (_, i) => row(i)).join("").trimEnd());
    await table.getByText("3,000 rows").waitFor();
    await eventually(async () => assert.deepEqual((await cells())[0], "größe 0"));
    await table.locator(".grid").focus();
    await page.keyboard.press("End");
    await table.locator('[aria-rowindex="3001"]', { hasText: "größe 2999" }).waitFor();
    const segments = table.locator("figure.plot", { hasText: "Rows by smart_segment" });
    await segments.locator("tr", { hasText: "inactive" }).getByText("1,000", { exact: true }).waitFor();
    await table.getByPlaceholder("holds the text").fill("größe 1234");
    await page.keyboard.press("Enter");
    await table.getByText("1 of 3,000 rows").waitFor();
    await eventually(async () => assert.deepEqual((await cells())[0], "größe 1234"));
    assert.equal(await table.getByRole("link", { name: "Download" }).count(), 0);

    // JSON in one line, with an attribute of one's own, and a row that the schema refuses.
    const item = (i) => ({ attributes: { $language: "en", shoe_size: i }, identifiers: { custom_id: `user-${i}` } });
    await take("attributes.json", JSON.stringify([...Array.from({ length: 700 }, (_, i) => item(i)), { attributes: { $language: 5 } }]));
    await table.getByText("701 rows").waitFor();
    await eventually(async () => assert.deepEqual((await cells()).slice(0, 2), ["en", "0"]));
    await table.locator(".head", { hasText: "shoe_size" }).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("textarea").fill('{"ids": ["install_id"]}');
    await check(page);
    await table.waitFor({ state: "detached" });
  });

  test("hold files against each other", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
    await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
    for (const kind of ["campaign.ids", "campaign.events", "userbase", "profiles.attributes"]) {
      await page.locator("#kind").selectOption(kind);
      const before = await page.locator(".list li").count();
      await page.getByRole("button", { name: "Send the request" }).click();
      await eventually(async () => assert.equal(await page.locator(".list li .SUCCESS").count(), before + 1));
    }
    await page.getByRole("link", { name: "Validate" }).click();
    await page.getByRole("button", { name: "Use the exports made here" }).click();
    await eventually(async () => assert.equal(await page.locator(".members li").count(), 4));
    await page.getByRole("button", { name: "Check them together" }).click();
    await page.locator(".coherence .answer.good", { hasText: /The files agree: \d+ rules held\. 4 files/ }).waitFor();
    const wrong = "install_id;is_optin_push;install_date;last_start_date;smart_segment\na;true;2026-03-01T00:00:00;2026-02-01T00:00:00;x\n";
    const file = { name: "wrong.csv", mimeType: "text/csv", buffer: Buffer.from(wrong) };
    await page.getByLabel("Files to check against each other").setInputFiles(file);
    await page.getByRole("button", { name: "Check them together" }).click();
    await page.locator(".coherence .faultlist li", { hasText: "wrong.csv, line 2" }).first().waitFor();
  });
}, ["--schemas", join(root, "schemas/testdata/own")]); // a new column of the product is none of these tests'
