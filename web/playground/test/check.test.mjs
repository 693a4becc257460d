// Checks: faults of payloads and files where they are.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
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
});
