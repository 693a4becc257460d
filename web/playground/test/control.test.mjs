// A server that asks for its control token, as one does that is reached from other machines; and clocks of single keys.

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
const date = async (page) => Date.parse(await face(page).getAttribute("datetime"));

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

      await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
      await page.getByRole("button", { name: "at once" }).click();
      await page.getByRole("button", { name: "Send the request" }).click();
      await page.locator(".grid .row:not(.head, .coming)").first().waitFor();
      const leaked = [];
      for (const request of sent) {
        const { authorization = "" } = await request.allHeaders();
        if (authorization.includes("let-me-in") && !new URL(request.url()).pathname.startsWith("/_mock/")) leaked.push(request.url());
      }
      assert.deepEqual(leaked, []);

      await page.getByRole("link", { name: "Journal" }).click();
      await page.getByText("live", { exact: true }).waitFor();
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

onPage("the clock", (given) => {
  test("may be that of the request's key alone, and is given back", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await page.getByRole("button", { name: "Freeze" }).click();
    await page.locator(".clockbar .pill", { hasText: "frozen" }).waitFor();
    const all = await date(page);
    await page.getByRole("radio", { name: "live_demo" }).check();
    await page.getByText("It follows the common clock").waitFor();
    await page.getByRole("button", { name: "31 days" }).click();
    await page.getByText("A clock of its own.").waitFor();
    await eventually(async () => assert.equal((await date(page)) - all, 31 * 24 * 3600 * 1000));
    await page.getByRole("radio", { name: "All keys" }).check();
    await page.getByText("Has a clock of its own: live_demo.").waitFor();
    await eventually(async () => assert.equal(await date(page), all));

    await page.getByRole("radio", { name: "live_demo" }).check();
    await page.getByLabel("api_key", { exact: true }).fill("nobody");
    await page.locator(".clockbar .refusal", { hasText: /no application key/ }).waitFor();
    await page.getByLabel("api_key", { exact: true }).fill("live_demo");
    await page.getByRole("button", { name: "Use the common clock again" }).click();
    await page.getByText("It follows the common clock").waitFor();
    await eventually(async () => assert.equal(await date(page), all));
    await page.locator("#kind").selectOption("profiles.attributes");
    await page.getByRole("radio", { name: "project_demo" }).waitFor();
    page.faults = page.faults.filter((fault) => !/status of 400/.test(fault));
  });
});
