// What a hand feels on every view: how far the main button is with the keyboard, that nothing moves under the pointer, and that nothing
// moves at all for whoever asked the system for that.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, eventually, register } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 900 },
  { width: 390, height: 844 },
];
/** The views that have a main button, by their address. */
const views = {
  actions: "",
  exports: "#exports",
  person: "#exports/person",
  validate: "#exports/validate",
  journal: "#exports/journal",
  commands: "#exports/commands",
  loop: "#loop",
  "the real service": "#real-service",
};
const most = 10; // tab stops

const primary = "main .primary, main .commands .copy"; // on the command line what one does is to copy
const active = (page) => page.evaluate((primary) => ({ main: document.activeElement === document.querySelector(primary), text: document.activeElement.textContent }), primary);

/** Opens a view and waits for its main button to be where it stays. */
async function opened(given, hash, options) {
  const journal = hash.endsWith("journal");
  if (journal) await fetch(`${given.origin}/1.0/live_demo/export/userbase`); // so that there is something to open
  const page = await given.open({ hash, ready: hash === "", ...options });
  if (journal) {
    await page.locator(".request").first().click();
    await page.locator(".skip").first().focus(); // back to the top
  }
  await page.locator(primary).first().waitFor();
  return page;
}

// In the page: what moved without a hand, summed up as browsers do for the cumulative layout shift.
const observe = () => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.moved.push({ value, what: sources.map(({ node }) => node?.className ?? node?.nodeName ?? "gone") });
  }).observe({ type: "layout-shift", buffered: true });
};

// In the page: what would still move.
const moving = () =>
  [...document.querySelectorAll("*")].flatMap((element) =>
    [undefined, "::before", "::after"].flatMap((pseudo) => {
      const { transitionProperty, transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element, pseudo);
      const takes = (durations) => durations.split(", ").some((duration) => parseFloat(duration) > 0.001);
      const moves = (transitionProperty !== "none" && takes(transitionDuration)) || (animationName !== "none" && takes(animationDuration)) || scrollBehavior === "smooth";
      return moves ? [`${element.localName}.${element.getAttribute("class") ?? ""}${pseudo ?? ""}`] : [];
    }),
  );

onPage("the hand", (given) => {
  for (const viewport of sizes)
    for (const [name, hash] of Object.entries(views))
      test(`reaches the main button of ${name} in ${most} tab stops, at ${viewport.width}`, async () => {
        const page = await opened(given, hash, { viewport });
        const passed = [];
        for (let now; passed.length < most && !now?.main; ) {
          await page.keyboard.press("Tab");
          now = await active(page);
          passed.push(now.text.slice(0, 30));
          if (!/main button/.test(now.text)) continue;
          await page.keyboard.press("Enter");
          now = await active(page);
        }
        assert.ok((await active(page)).main, `it is not among ${passed.join(" | ")}`);
        const box = await page.locator(primary).first().boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= viewport.height, `it has the focus and is not seen: ${box.y}`);
      });

  test("passes a list of actions with one tab stop", async () => {
    const page = await opened(given, "");
    const stops = page.locator(".picker .actions button:not([tabindex='-1'])");
    assert.ok((await page.locator("[data-identifier]").count()) > 5);
    assert.equal(await stops.count(), 1);
    for (const name of ["mine", "yours"]) await register(page, name);
    assert.deepEqual(await stops.locator("code").allInnerTexts(), ["yours"]);
    await choose(page, "service.ios_redirect_settings");
    assert.deepEqual(await stops.locator("code").allInnerTexts(), ["service.ios_redirect_settings"]);
  });

  test("unregisters an action with the arrow keys", async () => {
    const page = await opened(given, "");
    for (const name of ["mine", "yours"]) await register(page, name);
    const own = page.locator(".actions .own");
    await own.last().locator(".action").focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Unregister mine");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.deepEqual(await own.locator("code").allInnerTexts(), ["yours"]));
    assert.equal(await page.evaluate(() => document.activeElement.id), "filter");
  });

  for (const viewport of sizes)
    for (const [name, hash] of Object.entries(views))
      test(`finds the main button of ${name} where it was, at ${viewport.width}`, async () => {
        const page = await opened(given, hash, { viewport, prepare: (page) => page.addInitScript(observe) });
        const button = page.locator(primary).first();
        await button.scrollIntoViewIfNeeded();
        const before = await button.boundingBox();
        await button.hover();
        await button.focus();
        await page.mouse.down();
        assert.deepEqual(await button.boundingBox(), before);
        await page.mouse.move(0, 0);
        await page.mouse.up(); // elsewhere, so that nothing is done
        const moved = await page.evaluate(() => window.moved);
        const sum = moved.reduce((sum, { value }) => sum + value, 0);
        assert.ok(sum < 0.1, `a cumulative layout shift of ${sum}: ${JSON.stringify(moved)}`); // good, as browsers judge it
      });

  for (const [name, hash] of Object.entries(views))
    test(`sees nothing of ${name} move when the system asks for less motion`, async () => {
      const page = await given.open({ hash, ready: hash === "", reducedMotion: "reduce" });
      await eventually(async () => assert.equal(await page.locator(".loading").count(), 0));
      assert.deepEqual(await page.evaluate(moving), []);
      await page.emulateMedia({ reducedMotion: "no-preference" });
      assert.notDeepEqual(await page.evaluate(moving), []); // the question finds what moves
    });
});
