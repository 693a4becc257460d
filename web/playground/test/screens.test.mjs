// One task per screen: what one asks for, the button that does it, and what came of it are seen together, without scrolling.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, perform, press } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const desk = { width: 1280, height: 800 };
const handheld = { width: 390, height: 844 };

/** Fails unless the whole of what a locator finds is in the window. */
async function seen(page, locator) {
  await locator.waitFor();
  await eventually(async () => {
    const { y, height } = await locator.boundingBox();
    assert.ok(y >= 0 && y + height <= page.viewportSize().height, `from ${y}, ${height} high, of ${page.viewportSize().height}`);
  }, 5000);
}

onPage("one screen", (given) => {
  test("of the actions: the call, the button, the effect and the result", async () => {
    const page = await given.open({ viewport: desk });
    await seen(page, page.getByLabel("Identifier"));
    await press(page, "phone");
    await seen(page, page.getByRole("button", { name: "Perform on phone" }));
    await seen(page, page.locator(".latest.performed"));
    await seen(page, page.locator(".device"));
    assert.equal(await page.locator(".primary:visible").count(), 1);
    assert.equal(await page.evaluate(() => scrollY), 0);
  });

  test("of the actions on both hosts, compared on demand", async () => {
    const page = await given.open({ viewport: desk });
    assert.equal(await page.locator(".host").count(), 1);
    await page.getByRole("radio", { name: "Compare both" }).check();
    await page.getByRole("button", { name: "Perform on both" }).click();
    await eventually(async () => assert.equal(await page.locator(".latest:not(.running)").count(), 2));
    for (const latest of await page.locator(".latest").all()) await seen(page, latest);
    await seen(page, page.locator(".device"));
    await seen(page, page.locator(".window"));
  });

  test("of an action that the host cannot do: the button steps back, and the reason stands above it", async () => {
    const page = await given.open({ viewport: desk });
    await page.getByRole("radio", { name: "This browser" }).check();
    await page.getByRole("button", { name: /service\.rating$/ }).click();
    await page.getByText("unsupported: this host cannot do it").waitFor();
    assert.equal(await page.locator(".primary:visible").count(), 0);
    await seen(page, page.getByRole("button", { name: "Perform in browser" }));
  });

  test("of an action on a narrow page: the effect is seen above the finger", async () => {
    const page = await given.open({ viewport: handheld, hasTouch: true });
    const button = page.getByRole("button", { name: "Perform on phone" });
    const before = await button.boundingBox();
    await button.tap();
    await seen(page, page.locator(".device"));
    await seen(page, page.locator(".latest.performed"));
    assert.deepEqual(await button.boundingBox(), before); // the button stays where the finger is
  });

  test("of an action that asks, on a narrow page: the question covers the phone, not the button", async () => {
    const page = await given.open({ viewport: handheld, hasTouch: true });
    await perform(page, "phone", "service.rating");
    const scrim = page.locator(".device .dialog").first();
    await scrim.waitFor();
    const button = page.getByRole("button", { name: "Perform on phone" });
    const { y, height } = await button.boundingBox();
    await page.evaluate((by) => scrollBy({ top: by, behavior: "instant" }), (await page.locator(".device").boundingBox()).y - y + 100);
    await eventually(async () => {
      const under = await page.locator(".device").boundingBox();
      assert.ok(under.y < y && under.y + under.height > y + height, "the phone does not stand behind the button");
      assert.ok(await button.evaluate((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === one;
      }));
    }, 5000);
  });

  for (const viewport of [desk, handheld])
    test(`of the exports, ${viewport.width} wide: the button that sends is in view`, async () => {
      const page = await given.open({ viewport, hash: "#exports", ready: false });
      const send = page.getByRole("button", { name: "Send the request" });
      await seen(page, send);
      await send.click();
      await page.locator(".states .now.SUCCESS").waitFor();
      await seen(page, page.locator(".states"));
      if (viewport === desk) await seen(page, page.locator(".grid tbody tr").first());
    });

  test("of the loop: the message, what was recorded, and the button that makes the exports", async () => {
    const page = await given.open({ viewport: desk, hash: "#loop", ready: false });
    await page.getByRole("button", { name: "Show the message" }).click();
    await page.getByRole("button", { name: "See the offers" }).click();
    await page.locator(".recorded li.there").first().waitFor();
    await seen(page, page.locator(".device"));
    await seen(page, page.getByRole("button", { name: "Make the exports" }));
    await page.getByRole("button", { name: "Make the exports" }).click();
    await seen(page, page.locator(".one[data-state=there] tbody tr").first());
  });
});
