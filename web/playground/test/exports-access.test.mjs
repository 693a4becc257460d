// axe-core on every view of the exports, in light and dark, narrow and wide, and pictures of them to look at in build/playground.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTurn } from "../../actions/test/support/level.mjs";
import { faults } from "./support/axe.mjs";
import { eventually, someone } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const folder = join(root, "build/playground/views");
mkdirSync(folder, { recursive: true });
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };

/** What a person does in each view before it is looked at. */
const views = {
  first: { hash: "#exports", act: (page) => page.getByText("None yet.").or(page.locator(".runs")).first().waitFor() },
  made: {
    hash: "#exports",
    act: async (page) => {
      await page.locator(".scenario > summary").click();
      await page.getByRole("button", { name: "done at once" }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Send the request" }).click();
      await page.locator(".grid tbody tr").first().waitFor();
      for (const title of ["Status response", "Events over time", "Credentials", "Headers, body"])
        await page.locator("details.fold > summary", { hasText: title }).first().click();
      await page.locator(".u-wrap").waitFor();
    },
  },
  refused: {
    hash: "#exports",
    act: async (page) => {
      await page.getByRole("radio", { name: "JSON", exact: true }).check();
      await page.locator(".compose .cm-content").click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText('{"from": 5}');
      await page.locator(".faults li").first().waitFor();
      await page.getByRole("button", { name: "Send the request" }).click();
      await page.locator(".answer.bad").waitFor();
      page.faults = page.faults.filter((fault) => !/status of 400/.test(fault));
    },
  },
  person: {
    hash: "#exports/person",
    act: async (page) => {
      await page.getByLabel(/^Identifier of a person/).fill(await someone(page));
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await page.locator(".person [role=status]", { hasText: /rows in \d+ of 11 files/ }).waitFor();
    },
  },
  journal: {
    hash: "#exports/journal",
    act: async (page) => {
      for (let i = 0; i < 3; i++) await page.evaluate(() => fetch("/1.0/live_demo/export/request/none", { headers: { "x-authorization": "rest_demo" } }));
      await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
      await page.locator(".lintlist .inline").first().click();
      await page.getByRole("heading", { name: /^Request \d/ }).waitFor();
      await page.locator(".lintlist li").first().waitFor();
      page.faults = page.faults.filter((fault) => !/status of 4/.test(fault));
    },
  },
};

onPage("everybody can use the exports", (given) => {
  const looks = inTurn(Object.keys(sizes).flatMap((size) => [[size, "light"], [size, "dark"]]));
  for (const [i, [name, { hash, act }]] of Object.entries(views).entries()) {
    for (const [size, colorScheme] of looks(i)) {
      test(`${name}: ${colorScheme}, ${size}`, async () => {
        const page = await given.open({ viewport: sizes[size], colorScheme, hash, ready: false });
        await act(page);
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
        await eventually(async () => assert.deepEqual(await faults(page), []));
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wider <= 0, `${wider} pixels too wide`);
      });
    }
  }
});
