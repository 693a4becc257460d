// What Lighthouse says of the built page, as the mock server serves it: each view, at a desk and on a simulated slow phone with a slow
// network. Performance has to be at least 95, everything else 100.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import desk from "lighthouse/core/config/desktop-config.js";
import { findChromium } from "../test/support/chromium.mjs";
import { missing, root, start } from "../test/support/server.mjs";

const least = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 }; // of 100
const views = {
  actions: "/",
  exports: "/#exports",
  person: "/#exports/person",
  validate: "/#exports/validate",
  journal: "/#exports/journal",
  loop: "/#loop",
};
const folder = join(root, "build/lighthouse");

const reason = missing();
const chromePath = findChromium();
if (reason || !chromePath) {
  console.log(`the page: not measured, ${reason || "there is no Chromium"}`);
  process.exit(process.env.REQUIRE_ALL ? 1 : 0);
}
mkdirSync(folder, { recursive: true });
const server = await start();
const chrome = await launch({ chromePath, chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"] });
let failed = false;
try {
  const columns = [14, 8, 13, 15, 16, 6, 13, 15, 10];
  const line = (cells) => console.log(cells.map((cell, i) => String(cell).padEnd(columns[i])).join(""));
  line(["view", "at", ...Object.keys(least), "first paint", "largest paint", "blocked"]);
  line(["", "aim", ...Object.values(least).map((aim) => `>= ${aim}`)]);
  for (const [name, path] of Object.entries(views)) {
    for (const at of ["desk", "phone"]) {
      const options = { port: chrome.port, logLevel: "error", onlyCategories: Object.keys(least) };
      const measure = async () => (await lighthouse(`${server.origin}${path}`, options, at === "desk" ? desk : undefined)).lhr;
      const scoreOf = (lhr, category) => Math.round((lhr.categories[category].score ?? 0) * 100);
      let lhr = await measure();
      // A machine that is busy with something else makes a page slower, never faster: the best of three counts.
      for (let more = 2; more > 0 && scoreOf(lhr, "performance") < least.performance; more--) {
        const next = await measure();
        if (scoreOf(next, "performance") > scoreOf(lhr, "performance")) lhr = next;
      }
      const value = (audit) => lhr.audits[audit].displayValue ?? "";
      const scores = Object.keys(least).map((category) => scoreOf(lhr, category));
      line([name, at, ...scores, value("first-contentful-paint"), value("largest-contentful-paint"), value("total-blocking-time")]);
      writeFileSync(join(folder, `${name}-${at}.json`), JSON.stringify(lhr, null, 2));
      failed ||= Object.values(least).some((aim, i) => scores[i] < aim);
    }
  }
} finally {
  chrome.kill();
  await server.stop();
}
if (failed) {
  console.log(`below the aim: ${folder} says why`);
  process.exitCode = 1;
}
