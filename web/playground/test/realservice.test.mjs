// The real service: a report in the page, the recording that the server replays, and the settings of its world.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { comparison, driftReport, related } from "./support/reports.mjs";
import { onPage } from "./support/stage.mjs";

const visit = (given, options = {}) => given.open({ hash: "#real-service", ready: false, ...options });
const choose = (page, name, text) => page.getByLabel("Report").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const region = (page, name) => page.getByRole("region", { name, exact: true });

// A recording as proxy --record writes it, of two exchanges.
const recording = mkdtempSync(join(tmpdir(), "recording-"));
writeFileSync(join(recording, "recording.json"), JSON.stringify({ version: 1, began: "2026-03-15T12:00:00Z" }));
for (const [number, path, status] of [
  [1, "/1.0/{{key}}/export/request/a", 404],
  [2, "/1.0/{{key}}/nothing", 401],
])
  writeFileSync(
    join(recording, `00000${number}.json`),
    JSON.stringify({ number, time: `2026-03-15T12:00:0${number}Z`, method: "GET", path, status, facts: { stage: "status" } }),
  );

onPage(
  "the real service",
  (given) => {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1440, 360]) {
        test(`a report is shown: ${colorScheme}, ${width} pixels wide`, async () => {
          const page = await visit(given, { colorScheme, viewport: { width, height: 900 } });
          await region(page, "World").waitFor();
          await eventually(async () => assert.deepEqual(await faults(page), []));
          await choose(page, "drift.ndjson", driftReport);
          await page.getByText("drift.ndjson: 3 drifts, 1 high, 1 medium, 1 low.").waitFor();
          const drifts = page.getByRole("list", { name: "What differs" }).getByRole("listitem");
          assert.equal(await drifts.count(), 3);
          await drifts.nth(0).getByText("Payload and overlay").click();
          await drifts.nth(0).getByText('legacy/interface.json#/x-interface/states/2: add {"name": "PACKING", "role": "running"}').waitFor();
          assert.match(await drifts.nth(1).innerText(), /known, seen once/);
          await page.getByText("What clients should not do (1)").click();
          await page.getByText("export 0a0a0a0a was looked up 9 times within a second").waitFor();
          await eventually(async () => assert.deepEqual(await faults(page), []));
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(wider <= 0, `${wider} pixels too wide`);
        });
      }
    }

    test("a comparison is shown, and what is no report is said to be none", async () => {
      const page = await visit(given);
      await choose(page, "compare.ndjson", comparison);
      await page.getByText("compare.ndjson: 1 difference, 1 medium.").waitFor();
      await page.getByText("Undecided (1)").click();
      await page.getByText("filtered-rate: it waits for 2h0m0s").waitFor();
      for (const [name, text, says] of [
        ["drift.txt", "3f0a high: legacy.status", "Line 1 is not JSON"],
        ["other.json", '{"rows": 3}', "Line 1 is neither a finding nor a summary"],
        ["cut.ndjson", driftReport.split("\n").slice(0, 2).join("\n"), "It has no summary at its end"],
        ["empty.ndjson", "", "It has no summary at its end"],
      ]) {
        await choose(page, name, text);
        await page.getByText(`${name} cannot be shown. ${says}`).waitFor();
        assert.equal(await page.getByRole("list", { name: "What differs" }).count(), 0);
      }
    });

    for (const width of [1440, 360])
      test(`a cause is shown once with what follows from it, and of a difference all pairs: ${width} pixels wide`, async () => {
        const page = await visit(given, { viewport: { width, height: 900 } });
        await choose(page, "compare.ndjson", related);
        await page.getByText("compare.ndjson: 2 differences, 2 high.").waitFor();
        const shown = page.getByRole("list", { name: "What differs" }).locator(":scope > li");
        assert.equal(await shown.count(), 2);
        const cause = shown.nth(0);
        await cause.getByText("b answers 404 to every request under /2.7").waitFor();
        await cause.getByText("Is --b the address with its base path").waitFor();
        await cause.getByText("Conversations that could not be compared to the end (2)").click();
        await cause.getByText("profiles-links", { exact: true }).waitFor();
        assert.equal(await cause.getByText("GET /2.7/exports/view: status").isVisible(), false);
        await cause.getByText("What follows from it (2)").click();
        await cause.getByText("GET /2.7/exports/view: status").waitFor();
        await cause.getByText("What follows from it (1)").click();
        await eventually(async () => assert.equal(await cause.getByText("POST /2.7/profiles/export: status").filter({ visible: true }).count(), 2));
        const rows = shown.nth(1).getByRole("row");
        assert.deepEqual(await rows.allInnerTexts().then((all) => all.map((row) => row.replace(/\s*\t\s*/g, " | "))), [
          "A | B | Seen in",
          "has a text application/json | has a text text/plain | legacy-refusals/no JSON",
          "has a text application/json | has none | creation-authentication/legacy without",
        ]);
        await eventually(async () => assert.deepEqual(await faults(page), []));
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wider <= 0, `${wider} pixels too wide`);
      });

    test("what a report says is text and nothing else", async () => {
      const page = await visit(given);
      await choose(page, "evil.ndjson", driftReport.replaceAll("userbase", "<img src=x onerror=alert(1)>"));
      await page.getByText("<img src=x onerror=alert(1)> file /loyalty").waitFor();
      assert.equal(await page.locator(".drifts img").count(), 0);
    });

    test("the recording and the world are shown", async () => {
      const page = await visit(given);
      await region(page, "Recording").getByText("2 exchanges, recorded from 2026-03-15 12:00:00.").waitFor();
      await region(page, "Recording").getByRole("row", { name: "1 GET /1.0/{{key}}/export/request/a 404 status" }).waitFor();
      await region(page, "World").getByText("100 profiles, seed 0. 3 settings differ from the defaults").waitFor();
      await region(page, "World").getByRole("row", { name: "sms 0.31 0.56" }).waitFor();
      await region(page, "World").getByRole("row", { name: "push opt in 0.64 0.64" }).waitFor();
      await region(page, "World").getByRole("row", { name: "rates: email open 0.5 –" }).waitFor();
    });
  },
  ["--replay", recording, "--sms", "0.31", "--rate", "email_open=0.5"],
);

onPage("no real service", (given) => {
  test("a server without a recording says so, and by the keyboard all is reached", async () => {
    const page = await given.open();
    await page.getByRole("link", { name: "Real service" }).click();
    await region(page, "Recording").getByText("This server replays no recording.").waitFor();
    await page.keyboard.press("Tab");
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Choose a report"));
  });
});
