// The table of a file keeps up with whoever scrolls it: it draws once a frame, asks nothing of the layout on the way, and does not wait for
// rows that were passed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

const flags = ["--profiles", "400000"]; // more rows than a scroll bar has pixels
const first = (page) => page.locator(".grid .body [role=rowheader]").first();
const number = async (page) => Number((await first(page).innerText()).replaceAll(",", ""));

async function openTable(given) {
  const page = await given.open({ hash: "#exports", ready: false });
  await page.locator("#kind").selectOption("userbase");
  await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
  await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
  await page.getByRole("button", { name: "Send the request" }).click();
  await page.locator(".grid.scaled .body .row:not(.coming)").first().waitFor();
  return page;
}

onPage(
  "the table of a large file",
  (given) => {
    test("is drawn once a frame, with the elements that are there", async () => {
      const page = await openTable(given);
      const found = await page.locator(".grid").evaluate(async (grid) => {
        const body = grid.querySelector(".body");
        const rows = () => new Set(body.querySelectorAll(".row"));
        const task = () => new Promise((resolve) => setTimeout(resolve));
        // Frames come when this test says so, what is drawn and what is read of the layout is counted.
        const held = [];
        const asked = [];
        const [frame, view] = [window.requestAnimationFrame, Object.getOwnPropertyDescriptors(Element.prototype)];
        const { scrollTop, scrollHeight, clientHeight } = view;
        window.requestAnimationFrame = (draw) => held.push(draw);
        for (const [name, property] of Object.entries({ scrollTop, scrollHeight, clientHeight })) {
          const get = function () {
            asked.push(name);
            return property.get.call(this);
          };
          Object.defineProperty(Element.prototype, name, { ...property, get });
        }
        Element.prototype.getBoundingClientRect = function () {
          asked.push("getBoundingClientRect");
          return view.getBoundingClientRect.value.call(this);
        };
        let drawn = 0;
        const observer = new MutationObserver(() => drawn++);
        observer.observe(body, { subtree: true, childList: true, attributes: true, characterData: true });
        const before = rows();
        try {
          for (let i = 0; i < 5; i++) {
            grid.dispatchEvent(new WheelEvent("wheel", { deltaY: 30, cancelable: true }));
            await task();
            grid.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", cancelable: true }));
            await task();
          }
          const early = { drawn, frames: held.length, asked: [...asked] };
          for (const draw of held.splice(0)) draw(performance.now());
          await task();
          const same = [...rows()].filter((row) => before.has(row)).length;
          return { early, drawn, asked, same, rows: before.size };
        } finally {
          observer.disconnect();
          window.requestAnimationFrame = frame;
          Object.defineProperties(Element.prototype, view);
        }
      });
      assert.deepEqual(found.early, { drawn: 0, frames: 1, asked: [] }, "before the frame");
      assert.equal(found.drawn, 1);
      // Where the scroll bar was put is read when the browser says that it moved.
      assert.deepEqual(found.asked.filter((name) => name !== "scrollTop"), []);
      assert.ok(found.asked.length <= 1, `${found.asked}`);
      assert.equal(found.same, found.rows);
      await eventually(async () => assert.equal(await number(page), 11));
    });

    test("does not wait for rows that were passed", async () => {
      const page = await openTable(given);
      const waiting = [];
      let all = 0;
      await page.route(/\/files\//, async (route) => {
        all++;
        await new Promise((resolve) => waiting.push(resolve));
        await route.continue();
      });
      const rows = Number(await page.locator(".grid").getAttribute("aria-rowcount")) - 1;
      for (let share = 0.1; share < 0.95; share += 0.1) {
        await page.locator(".grid").evaluate((grid, to) => void (grid.scrollTop = to * (grid.scrollHeight - grid.clientHeight)), share);
        await eventually(async () => assert.ok(Math.abs((await number(page)) / rows - share) < 0.02));
      }
      await eventually(async () => assert.equal(waiting.length, 3));
      const release = setInterval(() => waiting.splice(0).forEach((go) => go()), 20);
      await page.locator(".grid .body:not(:has(.coming)) .row").first().waitFor();
      clearInterval(release);
      assert.ok(Math.abs((await number(page)) / rows - 0.9) < 0.02, `${await number(page)} of ${rows}`);
      assert.ok(all <= 5, `${all} blocks were fetched`);
      await page.unroute(/\/files\//);
    });
  },
  flags,
);
