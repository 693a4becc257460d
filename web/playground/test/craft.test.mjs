// What a hand feels on every view: how far the main button is with the keyboard, that nothing moves under the pointer, and that nothing
// moves at all for whoever asked the system for that.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn, nightly } from "../../actions/test/support/level.mjs";
import { choose, eventually, register } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 900 },
  { width: 390, height: 844 },
];
const sizesOf = inTurn(sizes.filter(({ width }) => nightly || width !== 820));
/** The views that have a main button, by their address. */
const views = {
  actions: "",
  exports: "#exports",
  person: "#exports/person",
  loop: "#loop",
};
const most = 10; // tab stops

const primary = "main .primary";
const active = (page) => page.evaluate((primary) => ({ main: document.activeElement === document.querySelector(primary), text: document.activeElement.textContent }), primary);

/** Opens a view and waits for its main button to be where it stays. */
async function opened(given, hash, options) {
  const page = await given.open({ hash, ready: hash === "", ...options });
  await page.locator(primary).first().waitFor();
  if (hash === "") await page.locator(".payload .editor .cm-content").waitFor(); // which comes when the page is idle
  return page;
}

// In the page: what moved, with what browsers tell of it; those that follow an input do not count in the cumulative layout shift.
const observe = () => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries())
      window.moved.push({ value, recent: hadRecentInput, at: startTime, what: sources.map(({ node }) => node?.className ?? node?.nodeName ?? "gone") });
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
  for (const [i, [name, hash]] of Object.entries(views).entries())
    for (const viewport of sizesOf(i))
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
    await choose(page, "service.redirect_settings");
    assert.deepEqual(await stops.locator("code").allInnerTexts(), ["service.redirect_settings"]);
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

  test("leaves the main button of the loop where it is when the server has answered", async () => {
    let send;
    const held = new Promise((resolve) => (send = resolve));
    const prepare = (page) =>
      page.route(/_mock\/data/, async (route) => {
        await held;
        await route.continue();
      });
    const page = await opened(given, views.loop, { viewport: sizes[2], prepare });
    const button = page.getByRole("button", { name: "Make the exports" });
    const before = await button.boundingBox();
    send();
    await page.getByText("The server holds").waitFor();
    assert.deepEqual(await button.boundingBox(), before);
  });

  test("leaves the main button where it is when the editor takes the place of the plain field", async () => {
    let send;
    const held = new Promise((resolve) => (send = resolve));
    const prepare = (page) =>
      page.route(/assets\/editor-/, async (route) => {
        await held;
        await route.continue();
      });
    const page = await given.open({ prepare });
    const button = page.locator(primary).first();
    await page.locator(".payload textarea").waitFor();
    const before = await button.boundingBox();
    send();
    await page.locator(".payload .editor .cm-content").waitFor();
    assert.deepEqual(await button.boundingBox(), before);
  });

  // On a change in one size: what the pointer does to a button is the same in all.
  for (const viewport of nightly ? sizes : sizes.slice(0, 1))
    for (const [name, hash] of Object.entries(views))
      test(`finds the main button of ${name} where it was, and nothing that moves, at ${viewport.width}`, async () => {
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
        await eventually(async () => assert.equal(await page.locator(".loading").count(), 0));
        assert.deepEqual(await page.evaluate(moving), [], "the system asks for less motion");
        await page.emulateMedia({ reducedMotion: "no-preference" });
        assert.notDeepEqual(await page.evaluate(moving), []); // the question finds what moves
        if (!nightly) return; // a busy machine draws in more frames
        const moved = await page.evaluate(() => window.moved.filter(({ recent }) => !recent));
        const sum = moved.reduce((sum, { value }) => sum + value, 0);
        assert.ok(sum < 0.1, `a cumulative layout shift of ${sum}: ${JSON.stringify(moved)}`); // good, as browsers judge it
      });

  // What comes of it, and when that is over.
  const ends = {
    actions: ["Perform on phone", ".latest.performed"],
    exports: ["Send the request", ".grid tbody tr"],
    loop: ["Make the exports", ".one[data-state=there] >> nth=2"],
  };
  for (const [i, [name, [button, end]]] of Object.entries(ends).entries())
    for (const viewport of sizesOf(i))
      test(`presses ${button} in ${name} and finds it where it was when all is done, at ${viewport.width}`, async () => {
        const page = await opened(given, views[name], { viewport, prepare: (page) => page.addInitScript(observe) });
        const pressed = page.getByRole("button", { name: button });
        await pressed.scrollIntoViewIfNeeded();
        const before = await pressed.boundingBox();
        const time = await page.evaluate(() => performance.now());
        await pressed.click();
        await page.locator(end).first().waitFor();
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
        // A narrow page goes to what was made; its button is held at the foot, or is above.
        if (viewport.width > 1000 || name !== "exports") {
          const { x, y } = await pressed.boundingBox();
          assert.ok(Math.hypot(x - before.x, y - before.y) < 1, `from ${before.x}, ${before.y} to ${x}, ${y}`); // a scrolled page ends between pixels
        }
        page.faults = page.faults.filter((fault) => !/status of 40[14]/.test(fault));
        if (!nightly) return; // on a busy machine half a second is no time
        // What moves later than half a second moves by itself, whatever browsers say of the input before.
        const late = await page.evaluate((time) => window.moved.filter(({ at }) => at > time + 500), time);
        const sum = late.reduce((sum, { value }) => sum + value, 0);
        assert.ok(sum < 0.05, `a layout shift of ${sum}: ${JSON.stringify(late)}`);
      });
});
