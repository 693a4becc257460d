// How smoothly the table of a file of ten million rows is scrolled, against a plain page of lines with as many elements. Both are scrolled
// in turns in one browser: a busy machine drops frames of either, so the ratio says more than the figures, and the processor time most.

import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { findChromium } from "../test/support/chromium.mjs";
import { missing, start } from "../test/support/server.mjs";

const rows = 10_000_000;
const profiles = "9000000"; // of whom so many rows come
const frame = 1000 / 60; // milliseconds
const late = frame + 1;
const turns = 2;
const most = 4; // turns, where two say that the table is slower: so few frames are soon unlucky
const aims = { rate: 0.95, work: frame / 2 };

const reason = missing();
const executablePath = findChromium();
if (reason || !executablePath) {
  console.log(`scrolling: not measured, ${reason || "there is no Chromium"}`);
  process.exit(process.env.REQUIRE_ALL ? 1 : 0);
}

/** What a person does for about half a second. */
const movements = {
  "wheel, slowly": (stage) => wheel(stage, 800),
  "wheel, fast": (stage) => wheel(stage, 8000),
  "a key held": async ({ page }) => {
    for (let i = 0; i < 15; i++) {
      await page.keyboard.down("ArrowDown");
      await pause(33); // as a keyboard repeats
    }
    await page.keyboard.up("ArrowDown");
  },
  "the bar dragged": async ({ page, grid }) => {
    const box = await grid.boundingBox();
    const [x, y] = [box.x + box.width - 8, box.y + 25]; // below the arrow
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 30; i++) {
      await page.mouse.move(x, y + 6 * i);
      await pause(16); // as a mouse reports
    }
    await page.mouse.up();
  },
};

// At so many pixels a second.
const wheel = ({ cdp, x, y }, speed) =>
  cdp.send("Input.synthesizeScrollGesture", { x, y, yDistance: -speed / 2, speed, gestureSourceType: "mouse", preventFling: true });

const mean = ({ intervals }) => intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length;

/** The intervals of the frames while something is moved, and the processor time of the main thread meanwhile, in milliseconds. */
async function scrolled(stage, move) {
  const work = async () => (await stage.cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  await stage.rewind();
  const from = await stage.place();
  await stage.page.evaluate(() => {
    const times = (globalThis.times = []);
    const note = (now) => {
      times.push(now);
      globalThis.next = requestAnimationFrame(note);
    };
    globalThis.next = requestAnimationFrame(note);
  });
  const before = await work();
  await move(stage);
  const spent = (await work()) - before;
  const times = await stage.page.evaluate(() => {
    cancelAnimationFrame(globalThis.next);
    return globalThis.times;
  });
  if ((await stage.place()) <= from) throw new Error("nothing was scrolled");
  return { intervals: times.slice(1).map((now, i) => now - times[i]), spent };
}

/** The page with the table of ten million rows. */
async function openTable(page, origin) {
  await page.goto(`${origin}/#exports`);
  await page.locator("#kind").selectOption("in-app-campaign.events");
  await page.locator("fieldset", { hasText: /^from/ }).getByRole("button", { name: "90 days ago" }).click();
  for (const box of await page.locator("fieldset.member input[type=checkbox]").all()) await box.check();
  await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
  await page.getByLabel(/X-Mock-Scenario/).fill(`progress=now; rows=${rows}`);
  await page.getByRole("button", { name: "Send the request" }).click();
  await page.locator(".grid .body .row:not(.coming)").first().waitFor();
  const count = Number(await page.locator(".grid").getAttribute("aria-rowcount")) - 1;
  if (count !== rows) throw new Error(`the file has ${count} rows, not ${rows}: more --profiles are needed`);
}

/** A page of lines that scrolls in a box as large as the table, with as many elements as the page of the table. */
async function openPlain(page, table) {
  const box = await table.locator(".grid").boundingBox();
  const elements = await table.evaluate(() => document.querySelectorAll("*").length);
  await page.setContent(`<!doctype html><style>
    .grid { position: absolute; left: ${box.x}px; top: ${box.y}px; width: ${box.width}px; height: ${box.height}px; overflow: auto; font: 12px monospace }
    .grid div { height: 30px; line-height: 30px; white-space: nowrap }
  </style><div class="grid" tabindex="0">${"<div>some text in a line of a page that is nothing but lines of text</div>".repeat(elements)}</div>`);
}

/** What moves a page, and sees that it was moved. */
async function stageOf(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const grid = page.locator(".grid");
  await grid.scrollIntoViewIfNeeded();
  const box = await grid.boundingBox();
  const stage = { page, cdp, grid, x: box.x + 300, y: box.y + box.height / 2 };
  stage.rewind = async () => {
    await page.bringToFront();
    await page.mouse.move(stage.x, stage.y);
    await grid.focus();
    await page.keyboard.press("Home");
    do await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    while ((await stage.place()) > start);
  };
  // By its rows, since the scroll bar of the table stands for a share of it and hardly moves when some go by.
  stage.place = () => grid.evaluate((element) => Number(element.querySelector(".body .row")?.getAttribute("aria-rowindex") ?? element.scrollTop));
  const start = await stage.place();
  return stage;
}

const columns = [20, 9, 13, 10, 10, 13, 10, 10, 14, 12];
const line = (...cells) => console.log(cells.map((cell, i) => String(cell).padEnd(columns[i])).join(""));
const milliseconds = (n) => `${n.toFixed(1)} ms`;
const seen = ({ intervals }) => {
  const sorted = [...intervals].sort((a, b) => a - b);
  const share = sorted.filter((interval) => interval > late).length / sorted.length;
  return [`${(share * 100).toFixed(1)} %`, milliseconds(sorted[sorted.length >> 1]), milliseconds(sorted.at(-1))];
};

const server = await start({ flags: ["--profiles", profiles] });
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const browser = await chromium.launch({ executablePath, args, ignoreDefaultArgs: ["--hide-scrollbars"] });
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [table, plain] = [await context.newPage(), await context.newPage()];
  for (const page of [table, plain]) page.setDefaultTimeout(120_000);
  await openTable(table, server.origin);
  await openPlain(plain, table);
  const stages = [await stageOf(table), await stageOf(plain)];
  line(`${rows / 1e6} million rows`, "frames", "over 1/60 s", "median", "worst", "plain: over", "median", "worst", "rate, ratio", "work a frame");
  line("aim", "", "", "", "", "", "", "", `>= ${aims.rate}`, `<= ${milliseconds(aims.work)}`);
  for (const [name, move] of Object.entries(movements)) {
    const found = stages.map(() => ({ intervals: [], spent: 0 }));
    const [ours, floor] = found;
    const rate = () => mean(floor) / mean(ours);
    for (let turn = 0; turn < turns || (turn < most && rate() < aims.rate); turn++) {
      for (const [i, stage] of stages.entries()) {
        const { intervals, spent } = await scrolled(stage, move);
        found[i].intervals.push(...intervals);
        found[i].spent += spent;
      }
    }
    const work = ours.spent / ours.intervals.length;
    const verdict = (met) => (met ? "" : ", missed");
    line(
      name,
      ours.intervals.length,
      ...seen(ours),
      ...seen(floor),
      `${rate().toFixed(2)}${verdict(rate() >= aims.rate)}`,
      `${milliseconds(work)}${verdict(work <= aims.work)}`,
    );
    if (work > aims.work) process.exitCode = 1; // that is the page, whatever else the machine does
  }
} finally {
  await browser.close();
  await server.stop();
}
