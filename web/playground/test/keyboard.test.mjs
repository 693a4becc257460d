// The page without a mouse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { editor, eventually, happened, result } from "./support/person.mjs";

const focused = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return (
      element?.getAttribute("aria-label") ||
      element?.closest("label")?.querySelector("span")?.textContent ||
      element?.textContent?.trim() ||
      element?.id ||
      ""
    );
  });

/** Presses Tab until something is focused; fails when it never is. */
async function tabTo(page, wanted, key = "Tab") {
  const seen = [];
  for (let i = 0; i < 90; i++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (wanted.test(now)) return;
    seen.push(now);
  }
  assert.fail(`${wanted} is never focused: ${seen.join(" | ")}`);
}

onPage("the keyboard", (given) => {
  test("is enough to choose, edit, perform, answer and read", async () => {
    const page = await given.open();
    await page.keyboard.press("Tab");
    await eventually(async () => assert.equal(await focused(page), "Skip to the content"));
    await page.keyboard.press("Enter");
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.id), "main"));

    await tabTo(page, /^Filter actions/);
    await page.keyboard.type("notifications");
    await tabTo(page, /^Request notifications/);
    await page.keyboard.press("Space");
    await eventually(async () =>
      assert.equal(await page.getByLabel("Identifier").inputValue(), "service.request_notifications"),
    );

    await tabTo(page, /Arguments as JSON/);
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("dialog").waitFor();
    await eventually(async () => assert.equal(await focused(page), "Don’t allow"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.equal((await result(page, "performed")).value, '"authorized"'));
    await eventually(async () => assert.equal(await focused(page), "Arguments as JSON")); // back where it was

    await tabTo(page, /^Phone/);
    await page.keyboard.press("ArrowRight");
    await tabTo(page, /^Perform in browser/);
    await page.keyboard.press("Enter");
    await page.locator(".log > .entry").nth(1).waitFor();
    await eventually(async () => assert.equal((await result(page, "performed")).host, "browser"));
  });

  test("goes from the filter through the list with the arrows", async () => {
    const page = await given.open();
    await page.getByLabel("Filter actions").fill("user");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.match(await page.getByLabel("Identifier").inputValue(), /^service\.user\./));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.id), "filter"));
  });

  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 820, height: 900 },
    { width: 400, height: 900 },
  ])
    test(`shows the newest result by the buttons, at ${viewport.width}, and leaves the focus alone`, async () => {
      const page = await given.open({ viewport });
      const button = page.getByRole("button", { name: "Perform on phone" });
      await button.click();
      const latest = page.locator(".latest.performed");
      await latest.waitFor();
      await eventually(async () => assert.match(await latest.innerText(), /Phone: service\.clipboard performed/));
      const { y, height } = await latest.boundingBox();
      assert.ok(y >= 0 && y + height <= viewport.height, `${y} and ${height} of ${viewport.height}`);
      await eventually(async () => assert.equal(await focused(page), "Perform on phone"));
    });

  test("leaves the editor with Tab, and comes back", async () => {
    const page = await given.open();
    await editor(page).waitFor();
    await editor(page).click();
    await eventually(async () => assert.equal(await focused(page), "Arguments as JSON"));
    await page.keyboard.press("Tab");
    await eventually(async () => assert.notEqual(await focused(page), "Arguments as JSON"));
    await page.keyboard.press("Shift+Tab");
    await eventually(async () => assert.equal(await focused(page), "Arguments as JSON"));
  });

  test("runs the call from inside the editor without changing it", async () => {
    const page = await given.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await editor(page).click();
    await page.keyboard.press("Control+Enter");
    await eventually(async () => assert.equal((await result(page, "performed")).host, "browser"));
    await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "WELCOME10"));
    await page.keyboard.press("Control+Shift+Enter");
    await page.locator(".log > .entry").nth(1).waitFor();
    await eventually(async () => assert.equal((await result(page, "performed")).host, "phone"));
    await eventually(async () => assert.equal((await happened(page, "phone")).length, 1));
    await eventually(async () => assert.equal(await editor(page).innerText(), '{ "t": "WELCOME10" }'));
  });

  test("registers an action", async () => {
    const page = await given.open();
    await tabTo(page, /^Write your own action/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Name of your action/);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("mine");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.equal(await page.getByLabel("Identifier").inputValue(), "mine"));
  });

  test("each thing that has the focus shows it", async () => {
    const page = await given.open();
    const hidden = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const seen = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return "";
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const around = [element.closest(".editor"), element.nextElementSibling]
          .filter(Boolean)
          .map((other) => getComputedStyle(other).outlineStyle);
        return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || around.some((style) => style !== "none")
          ? ""
          : element.outerHTML.slice(0, 90);
      });
      if (seen) hidden.push(seen);
    }
    assert.deepEqual(hidden, []);
  });

  test("tells a screen reader what came of it", async () => {
    const page = await given.open();
    await page.keyboard.press("Control+Shift+Enter");
    await page.locator("[role=status]").getByText("Phone: service.clipboard performed.").waitFor({ state: "attached" });
  });
});
