// Takes the picture of the README, a group of actions that asks on the phone: make picture. It goes to build/playground.

import { join } from "node:path";
import { newContext } from "./support/clock.mjs";
import { launch } from "./support/stage.mjs";
import { root, start } from "./support/server.mjs";
import { choose, editor, press, type } from "./support/person.mjs";

const browser = await launch();
const server = await start();
const context = await newContext(browser, server, { viewport: { width: 1400, height: 940 }, deviceScaleFactor: 1.5, colorScheme: "light", reducedMotion: "reduce" });
const page = await context.newPage();
await page.goto(server.origin);
await editor(page).waitFor();
await choose(page, "service.group");
const tag = ["service.user.tag", { a: "add", c: "interests", t: "running" }];
await type(page, { actions: [["service.clipboard", { t: "WELCOME10" }], tag, ["service.request_notifications", {}]] });
await page.getByRole("button", { name: "Format" }).click();
await press(page, "phone");
await page.getByRole("dialog").waitFor();
await page.evaluate(() => scrollTo(0, 0));
await page.waitForTimeout(300);
await page.screenshot({ path: join(root, "build/playground/picture.png") });
await browser.close();
await server.stop();
