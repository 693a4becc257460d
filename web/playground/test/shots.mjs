// Takes pictures of the page to look at: node test/shots.mjs [NAME...]. They go to build/playground/shots.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./support/stage.mjs";
import { root, start } from "./support/server.mjs";
import { choose, conditions, editor, perform, press, register, result, showPane, type, unfoldForm } from "./support/person.mjs";
import { driftReport } from "./support/reports.mjs";

const folder = join(root, "build/playground/shots");

/** What is done before a picture is taken. */
const scenes = {
  start: async () => {},
  exports: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.waitForTimeout(500);
  },
  group: async (page) => {
    await choose(page, "service.group");
    const tag = ["service.user.tag", { a: "add", c: "interests", t: "running" }];
    await type(page, {
      actions: [["service.clipboard", { t: "WELCOME10" }], tag, ["nobody", {}], ["service.ios_request_notifications", {}]],
    });
    await page.getByRole("button", { name: "Tidy" }).click();
    await press(page, "phone");
    await page.getByRole("dialog").waitFor();
  },
  after: async (page) => {
    await scenes.group(page);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await result(page, "partial");
    await perform(page, "browser", "service.dismiss");
    await perform(page, "phone", "service.deeplink", { l: "https://example.com/offers" });
    await page.getByRole("radio", { name: "A push" }).check();
  },
  android: async (page) => {
    await (await conditions(page, "phone")).getByRole("radio", { name: "Android" }).check();
    await (await conditions(page, "browser")).getByLabel(/A consent dialog/).check();
    await perform(page, "phone", "service.rating");
    await choose(page, "service.tracking_consent");
    await press(page, "browser");
    await page.getByRole("dialog").nth(1).waitFor();
  },
  held: async (page) => {
    await unfoldForm(page);
    await page.getByLabel("Name of your action").fill("open-basket");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.locator(".host.phone").getByRole("button", { name: "Restart app" }).click();
    await page.getByRole("radio", { name: "A push" }).check();
    await press(page, "phone");
    await unfoldForm(page);
    await page.getByLabel("Name of your action").fill("service.mine");
    await page.getByRole("button", { name: "Register", exact: true }).click();
  },
  handler: async (page) => {
    await register(page, "open-basket", "performs another action");
    await page.locator("#handler .cm-content").waitFor();
    await press(page, "phone");
    await result(page, "performed");
  },
  code: async (page) => {
    await register(page, "open-basket");
    await showPane(page, "Code");
    await page.locator(".call .code").getByRole("radio", { name: "Kotlin" }).check();
  },
  person: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports/person"));
    await page.getByRole("button", { name: "Pick someone" }).click();
    await page.waitForFunction(() => document.querySelector(".person input")?.value);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByText(/rows in \d+ of/).waitFor({ timeout: 60_000 });
  },
  plots: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.locator("#kind").selectOption("campaign.events");
    await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
    await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator("figure.week").waitFor({ timeout: 60_000 });
    await page.locator("figure.week").scrollIntoViewIfNeeded();
  },
  typing: async (page) => {
    await choose(page, "service.user.event");
    await type(page, '{ "e": "", "x": 5, "t": ["a", 5], ');
    await page.keyboard.press("Control+Space");
    await page.waitForTimeout(600);
  },
  realservice: async (page) => {
    await page.evaluate(() => void (location.hash = "#real-service"));
    await page.getByLabel("Report").setInputFiles({ name: "drift.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(driftReport) });
    await page.getByText(/: 3 drifts/).waitFor();
  },
  // The picture of the README: make picture.
  readme: async (page) => {
    await choose(page, "service.group");
    const tag = ["service.user.tag", { a: "add", c: "interests", t: "running" }];
    await type(page, { actions: [["service.clipboard", { t: "WELCOME10" }], tag, ["service.request_notifications", {}]] });
    await page.getByRole("button", { name: "Tidy" }).click();
    await press(page, "phone");
    await page.getByRole("dialog").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  help: async (page) => page.getByRole("button", { name: "Keyboard shortcuts" }).click(),
  failed: async (page) => {
    await page.route("**/assets/*.wasm", (route) => route.abort());
    await page.reload();
    await page.locator(".trouble").first().waitFor();
  },
};

const wanted = process.argv.slice(2);
const views = [
  [1440, 900, "light"],
  [1440, 900, "dark"],
  [390, 844, "light"],
  [390, 844, "dark"],
  [820, 1180, "light"],
  [1280, 720, "light"],
  [1920, 1080, "dark"],
];
/** Scenes that are for one purpose have views of their own; the last number is the scale. */
const special = { readme: [[1400, 940, "light", 1.5]] };
mkdirSync(folder, { recursive: true });
const server = await start();
const browser = await launch();
for (const [name, act] of Object.entries(scenes)) {
  for (const [width, height, colorScheme, scale = 1] of special[name] ?? views) {
    const file = `${name}-${width}-${colorScheme}`;
    if (wanted.length > 0 && !wanted.some((part) => file.startsWith(part))) continue;
    const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme, reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    await page.goto(server.origin);
    await editor(page).waitFor();
    await act(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${file}.png`) });
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(folder, `${file}-full.png`), fullPage: true });
    await context.close();
  }
}
await browser.close();
await server.stop();
console.log(folder);
