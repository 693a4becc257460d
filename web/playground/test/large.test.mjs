// Ten million rows: the table stays smooth and the memory of the page stays flat, since only what is looked at is fetched.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "./support/person.mjs";
import { onPage } from "./support/stage.mjs";

// The file is that of a campaign with an audience of millions; nothing of it is stored, so it costs the server only its index.
const flags = ["--profiles", "9000000"];
const first = (page) => page.locator(".grid .body .row:not(.coming) [role=rowheader]").first();
const number = async (page) => Number((await first(page).innerText()).replaceAll(",", ""));

onPage(
  "a file of ten million rows",
  (given) => {
    test("is scrolled from end to end in flat memory", { timeout: 900_000 }, async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      page.setDefaultTimeout(600_000);
      await page.locator("#kind").selectOption("in-app-campaign.events");
      await page.locator("fieldset", { hasText: /^from/ }).getByRole("button", { name: "90 days ago" }).click();
      await page.getByRole("checkbox", { name: "inapp_supplied" }).check();
      await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
      await page.getByLabel(/X-Mock-Scenario/).fill("progress=now; rows=10000000");
      await page.getByRole("button", { name: "Send the request" }).click();
      await first(page).waitFor();
      const rows = Number((await page.locator(".grid").getAttribute("aria-rowcount")) ?? 0) - 1;
      assert.ok(rows >= 1_000_000, `${rows} rows`);
      console.log(`# ${rows.toLocaleString("en")} rows`);

      const session = await page.context().newCDPSession(page);
      await session.send("HeapProfiler.enable");
      const heap = async () => {
        await session.send("HeapProfiler.collectGarbage");
        return (await session.send("Runtime.getHeapUsage")).usedSize;
      };
      let fetched = 0;
      page.on("response", (response) => {
        if (/\/files\//.test(response.url())) fetched += Number(response.headers()["content-length"] ?? 0);
      });
      // A share of the way down, as one drags the scroll bar; each time the rows arrive, with their numbers.
      const jump = async (share) => {
        await page.locator(".grid").evaluate((grid, to) => void (grid.scrollTop = to * (grid.scrollHeight - grid.clientHeight)), share);
        await eventually(async () => assert.ok(Math.abs((await number(page)) / rows - share) < 0.02, `${await number(page)}`), 120_000);
        assert.equal(await page.locator(".grid .body .row").count() < 40, true);
      };
      for (const share of [0.5, 1, 0.25, 0]) await jump(share);
      const before = await heap();
      for (let i = 0; i < 60; i++) await jump(((i * 37) % 100) / 100);
      const after = await heap();
      console.log(`# ${(before / 1e6).toFixed(1)} MB before, ${(after / 1e6).toFixed(1)} MB after 60 jumps, ${(fetched / 1e6).toFixed(1)} MB fetched`);
      assert.ok(after < before * 1.3 + 4_000_000, `${before} bytes became ${after}`);
      assert.ok(fetched < 40e6, `${fetched} bytes were fetched`);

      // Row by row with the wheel and the keys, where one pixel of the scroll bar is several rows.
      await jump(0.5);
      const at = await number(page);
      await page.locator(".grid").hover();
      await page.mouse.wheel(0, 300);
      await eventually(async () => assert.equal((await number(page)) - at, 10));
      await page.locator(".grid").focus();
      await page.keyboard.press("ArrowDown");
      await eventually(async () => assert.equal((await number(page)) - at, 11));
      await page.keyboard.press("End");
      await page.locator(`.grid .body [aria-rowindex="${rows + 1}"]:not(.coming)`).waitFor();
      await page.keyboard.press("Home");
      await eventually(async () => assert.equal(await number(page), 1));

      // Row by row with a finger: a drag of 300 pixels is ten rows, in a table whose scroll bar stands for thousands a pixel.
      await jump(0.5);
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      const touched = await number(page);
      await page.locator(".grid").scrollIntoViewIfNeeded();
      const box = await page.locator(".grid").boundingBox();
      const [x, y] = [box.x + 200, box.y + box.height - 40];
      const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
      await touch("touchStart", [{ x, y }]);
      for (let by = 30; by <= 300; by += 30) await touch("touchMove", [{ x, y: y - by }]);
      await touch("touchEnd", []);
      await eventually(async () => {
        const moved = (await number(page)) - touched;
        assert.ok(moved >= 8 && moved <= 10, `${moved} rows`); // the browser may keep the first pixels to itself
      });
    });
  },
  flags,
);
