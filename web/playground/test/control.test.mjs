// A server that asks for its control token, as one does that is reached from other machines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const field = (page) => page.getByRole("textbox", { name: "Control token" }).or(page.locator("input[type=password]"));
const forgive = (page) => (page.faults = page.faults.filter((fault) => !/status of 401/.test(fault)));
const give = async (page, token) => {
  await field(page).fill(token);
  await page.keyboard.press("Enter");
};
const asked = (page) => page.getByText("This server asks for its control token.").waitFor();
const face = (page) => page.locator(".clockbar .face time");

onPage(
  "a server with a control token",
  (given) => {
    test("is asked for it once a tab, and everything works from then on", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      await asked(page);
      await page.getByText("Hidden until the control token is entered.").waitFor();
      await eventually(async () => assert.deepEqual(await faults(page), []));
      await give(page, "another");
      await page.getByText("That is not the control token of this server.").waitFor();
      const sent = [];
      page.on("request", (request) => sent.push(request));
      await give(page, "let-me-in");
      await field(page).waitFor({ state: "detached" });
      await face(page).waitFor();

      await page.locator(".scenario > summary").click();
      await page.getByRole("button", { name: "done at once" }).click();
      await page.getByRole("button", { name: "Send the request" }).click();
      await page.locator(".grid tbody tr").first().waitFor();
      const leaked = [];
      for (const request of sent) {
        const { authorization = "" } = await request.allHeaders();
        if (authorization.includes("let-me-in") && !new URL(request.url()).pathname.startsWith("/_mock/")) leaked.push(request.url());
      }
      assert.deepEqual(leaked, []);

      await page.getByRole("link", { name: "Journal" }).click();
      await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
      await page.evaluate(() => fetch("/1.0/live_demo/export/request/none"));
      await page.locator(".requestlist button", { hasText: "/export/request/none" }).first().waitFor();
      assert.equal(await page.getByText("let-me-in").count(), 0);

      await page.reload();
      await page.getByRole("link", { name: "Taps" }).click();
      await page.getByText(/The server holds \d+ events? of your own/).waitFor();
      assert.deepEqual(await page.evaluate(() => [JSON.stringify(localStorage).includes("let-me-in"), location.href.includes("let-me-in")]), [false, false]);
      page.faults = page.faults.filter((fault) => !/status of 40[14]/.test(fault));
    });

    test("asks another tab again, on every view", async () => {
      for (const hash of ["#loop", "#exports/journal", "#exports"]) {
        const page = await given.open({ hash, ready: false });
        await asked(page);
        await give(page, "let-me-in");
        await field(page).waitFor({ state: "detached" });
        forgive(page);
      }
    });
  },
  ["--control-token", "let-me-in"],
);
