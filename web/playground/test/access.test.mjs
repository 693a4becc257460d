// axe-core on every view, in light and dark, narrow and wide; and what a person sees when the page is small.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn, some } from "../../actions/test/support/level.mjs";
import { faults } from "./support/axe.mjs";
import { onPage } from "./support/stage.mjs";
import { choose, conditions, editor, eventually, perform, press, register, result, type, unfoldList } from "./support/person.mjs";

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };

onPage("everybody", (given) => {
  const looks = inTurn(Object.keys(sizes).flatMap((size) => [[size, "light"], [size, "dark"]]));
  for (const [size, colorScheme] of looks(0)) {
    test(`can use the actions: ${colorScheme}, ${size}`, async () => {
      const page = await given.open({ viewport: sizes[size], colorScheme });
      await unfoldList(page);
      await editor(page).waitFor();
      await eventually(async () => assert.deepEqual(await faults(page), []));
      // Everything at once: own actions, a refusal, results of several kinds, a question on the phone, all conditions.
      await register(page, "open-basket");
      await register(page, "service.mine");
      await perform(page, "phone", "service.group", {
        actions: [
          ["service.clipboard", { t: "x" }],
          ["nobody", {}],
          ["service.user.tag", { a: "add", c: "c", t: "t" }],
        ],
      });
      await perform(page, "browser", "service.rating");
      await conditions(page, "phone");
      await page.getByRole("radio", { name: "A push" }).check();
      await choose(page, "service.ios_tracking_consent");
      await press(page, "phone");
      await result(page, "running");
      await eventually(async () => assert.deepEqual(await faults(page), []));
      await page.locator(".device").getByRole("button", { name: "Ask not to track" }).click();
      for (const screen of ["service.redirect_settings", "service.dismiss"]) {
        await perform(page, "phone", screen);
        await eventually(async () => assert.deepEqual(await faults(page), []));
      }
      await choose(page, "service.user.event");
      await type(page, { l: 5 });
      await page.locator(".cm-lintRange-error").first().waitFor();
      await eventually(async () => assert.deepEqual(await faults(page), []));
    });
  }

  test("sees no sideways scrolling, down to 320 pixels", async () => {
    for (const width of some([320, 390, 768, 1024, 1280, 1440, 1920], 320, 1920)) {
      const page = await given.open({ viewport: { width, height: 800 } });
      for (const hash of ["", "#exports", "#exports/person", "#loop"]) {
        if (hash) await page.evaluate((to) => void (location.hash = to), hash);
        await page.locator("h1").waitFor();
        const wider = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await eventually(async () => assert.ok((await wider()) <= 0, `${width} ${hash}: ${await wider()} pixels too wide`));
      }
    }
  });

  test("sees the colours of the system, also when it changes them", async () => {
    const page = await given.open({ colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(async () => assert.notEqual(await ground(), light));
  });
});
