// Takes pictures of the page to look at: node test/shots.mjs [NAME...]. They go to build/playground/shots.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newContext } from "./support/clock.mjs";
import { launch } from "./support/stage.mjs";
import { root, start } from "./support/server.mjs";
import { choose, conditions, editor, perform, press, register, result, type, unfoldForm } from "./support/person.mjs";

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
    await choose(page, "service.rating");
    await press(page, "phone");
    await page.getByRole("dialog").waitFor();
  },
  consent: async (page) => {
    await (await conditions(page, "browser")).getByLabel(/A consent dialog/).check();
    await choose(page, "service.tracking_consent");
    await press(page, "browser");
    await page.getByRole("dialog").waitFor();
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
  person: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports/person"));
    await page.getByRole("button", { name: "Pick someone" }).click();
    await page.waitForFunction(() => document.querySelector(".person input")?.value);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByText(/rows in \d+ of/).waitFor({ timeout: 60_000 });
  },
  plots: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.locator("#kind").selectOption("transactional.events");
    await page.locator("fieldset", { hasText: /^from/ }).getByRole("button", { name: "90 days ago" }).click();
    await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
    await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".plots .plot").first().waitFor({ timeout: 60_000 });
    await page.locator(".plots .plot").first().scrollIntoViewIfNeeded();
  },
  typing: async (page) => {
    await choose(page, "service.user.event");
    await type(page, '{ "e": "", "x": 5, "t": ["a", 5], ');
    await page.keyboard.press("Control+Space");
    await page.waitForTimeout(600);
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
  made: async (page, kind = "campaign.events") => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.locator("#kind").selectOption(kind);
    await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
    await page.getByRole("button", { name: "at once" }).click();
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".u-wrap, figure.plot").first().waitFor();
    await page.locator(".columns .contents").first().waitFor();
  },
  // Long values, and others that are hard to show.
  hostile: async (page) => scenes.made(page, "profiles.attributes"),
  waiting: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".states").waitFor();
  },
  refused: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.getByRole("radio", { name: "JSON", exact: true }).check();
    await page.locator(".compose .cm-content").click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText('{"from": 5}');
    await page.locator(".faults li").first().waitFor();
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".answer.bad").waitFor();
  },
  failing: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByRole("button", { name: "Fail", exact: true }).click();
    await page.locator(".watch .answer.bad").waitFor();
  },
  "person-empty": async (page) => {
    await page.evaluate(() => void (location.hash = "#exports/person"));
    await page.getByRole("button", { name: "Pick someone" }).waitFor();
  },
  validate: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports/validate"));
    await page.getByRole("button", { name: "Check it" }).waitFor();
  },
  checked: async (page) => {
    await scenes.validate(page);
    const head = "install_id;is_optin_push;install_date;last_start_date;smart_segment";
    await page.locator("textarea").fill(`${head}\na;yes;2026-01-01T00:00:00;2026-13-02T00:00:00;x\n`);
    await page.getByRole("button", { name: "Check it" }).click();
    await page.locator(".faultlist li").first().waitFor();
  },
  journal: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports/journal"));
    await page.getByText("live", { exact: true }).waitFor();
  },
  "journal-open": async (page) => {
    await scenes.made(page);
    const ask = (path) => page.evaluate((path) => fetch(path, { headers: { "x-authorization": "rest_demo" } }), path);
    for (let i = 0; i < 4; i++) await ask("/1.0/live_demo/export/request/none");
    await scenes.journal(page);
    await page.locator(".requestlist .request", { hasText: "POST" }).last().click();
    await page.getByRole("heading", { name: /^Request \d/ }).waitFor();
  },
  lints: async (page) => {
    const ask = (path) => page.evaluate((path) => fetch(path, { headers: { "x-authorization": "rest_demo" } }), path);
    for (let i = 0; i < 9; i++) await ask("/1.0/live_demo/export/request/none");
    await scenes.journal(page);
    await page.locator(".lintlist li").first().waitFor();
  },
  token: async (page) => {
    await page.evaluate(() => void (location.hash = "#exports"));
    await page.locator(".access").waitFor();
  },
  taps: async (page) => {
    await page.evaluate(() => void (location.hash = "#loop"));
    await page.getByRole("button", { name: "Show the message" }).first().waitFor();
  },
  tapped: async (page) => {
    await scenes.taps(page);
    await page.getByRole("button", { name: "Show the message" }).click();
    await page.getByRole("button", { name: "See the offers" }).click();
    await page.locator(".recorded li.there").first().waitFor();
    await page.getByRole("button", { name: "Make the exports" }).click();
    await page.locator(".one[data-state=there] tbody tr").first().waitFor();
  },
  tour: async (page) => {
    await page.evaluate(() => void (location.hash = "#tour/first-export"));
    await page.getByText("step 1 of").waitFor();
  },
  performed: async (page) => {
    await perform(page, "phone", "service.clipboard", { t: "WELCOME10" });
    await page.evaluate(() => scrollTo(0, 0));
  },
  both: async (page) => {
    await page.getByRole("radio", { name: "Compare both" }).check();
    await page.getByRole("button", { name: "Perform on both" }).click();
    await page.locator(".latest:not(.running)").nth(1).waitFor();
  },
};

/** Flags of the server, for scenes that need others. */
const more = ["--profiles", "3000"];
const flags = { plots: more, hostile: ["--world", "texture=hostile"], token: ["--control-token", "secret"] };

const wanted = process.argv.slice(2);
const views = [[1400, 900], [820, 1180], [375, 800]].flatMap((size) => [[...size, "light"], [...size, "dark"]]);
/** Scenes that are for one purpose have views of their own; the last number is the scale. */
const special = { readme: [[1400, 940, "light", 1.5]] };
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const [name, act] of Object.entries(scenes)) {
  for (const [width, height, colorScheme, scale = 1] of special[name] ?? views) {
    const file = `${name}-${width}-${colorScheme}`;
    if (wanted.length > 0 && !wanted.some((part) => file.startsWith(part))) continue;
    const server = await start({ flags: flags[name] }); // what one scene leaves is not in the picture of another
    const context = await newContext(browser, server, { viewport: { width, height }, deviceScaleFactor: scale, colorScheme, reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    await page.goto(server.origin);
    try {
      await editor(page).waitFor();
      await act(page);
    } catch (error) {
      console.error(`${file}: ${error.message}`); // the picture shows where it stopped
      process.exitCode = 1;
    }
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${file}.png`) });
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(folder, `${file}-full.png`), fullPage: true });
    await context.close();
    await server.stop();
  }
}
await browser.close();
console.log(folder);
