// What a person does on the page, in their words.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Repeats a check until it no longer throws, as a person looks again; after two minutes what it throws is the result. */
export async function eventually(check, within = 120_000) {
  const end = Date.now() + within;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= end) throw error;
      await pause(50);
    }
  }
}

/** Chooses a built-in action from the list; its other name is typed. */
export async function choose(page, identifier) {
  await unfoldList(page);
  const neutral = identifier.replace(".ios_", ".");
  await page.locator(".picker").getByRole("button", { name: new RegExp(`${neutral.replaceAll(".", "\\.")}$`) }).click();
  if (neutral !== identifier) await page.getByLabel("Identifier").fill(identifier);
  await eventually(async () => assert.equal(await page.getByLabel("Identifier").inputValue(), identifier));
}

/** The field in which the arguments are typed, once the editor is there. */
export const editor = (page) => page.locator(".editor .cm-content");

/** Shows a part of the call: "Arguments" or "Handler". */
export async function showPane(page, name) {
  const pane = page.getByRole("radio", { name, exact: true });
  if (!(await pane.isChecked())) await pane.check();
}

/** Types arguments over those that are there. */
export async function type(page, args) {
  if (await page.getByRole("radio", { name: "Arguments", exact: true }).isVisible()) await showPane(page, "Arguments");
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(typeof args === "string" ? args : JSON.stringify(args));
}

/** Chooses the host that is shown, and that the call runs on. */
export const chooseHost = (page, host) => page.getByRole("radio", { name: { browser: "This browser", phone: "Phone" }[host], exact: true }).check();

/** Presses the button that runs the call on a host, "browser" or "phone". */
export async function press(page, host) {
  await chooseHost(page, host);
  await page.getByRole("button", { name: new RegExp(`^(Perform|Trigger) (in|on) ${host}$`) }).click();
}

/** The newest result: its status, message, value and the statuses of its items. Waits until it has one of the states. */
export async function result(page, ...states) {
  const entry = page.locator(".log > .entry").first();
  if (states.length > 0) await entry.and(page.locator(states.map((state) => `[data-status=${state}]`).join())).waitFor();
  return entry.evaluate((element) => ({
    host: element.dataset.host,
    status: element.dataset.status,
    identifier: element.querySelector(".line code").textContent,
    message: element.querySelector(":scope > .what > .message")?.textContent ?? "",
    value: element.querySelector(":scope > .what > .value code")?.textContent ?? "",
    items: [...element.querySelectorAll(".items li")].map((item) => item.className),
    facts: element.querySelector(".facts").textContent,
  }));
}

const ends = ["performed", "not_found", "invalid_arguments", "unsupported", "blocked", "failed", "canceled", "partial"];

/** Chooses, types and presses, and gives what came of it. */
export async function perform(page, host, identifier, args) {
  await choose(page, identifier);
  if (args !== undefined) await type(page, args);
  const before = await page.locator(".log > .entry").count();
  await press(page, host);
  await page.locator(".log > .entry").nth(before).waitFor();
  return result(page, ...ends);
}

/** What happened on a host, newest first. */
export const happened = (page, host) => page.locator(`.host.${host} .effects li`).allInnerTexts();

/** Opens the conditions of a host. */
export async function conditions(page, host) {
  const details = page.locator(`.host.${host} details.conditions`);
  if (!(await details.isVisible())) await chooseHost(page, host);
  if (!(await details.evaluate((element) => element.open))) await details.locator("summary").click();
  return details;
}

/** Opens what folds away, unless it is open or never folds. */
async function unfold(page, ...folds) {
  for (const fold of folds) {
    const summary = page.locator(`${fold} > summary`);
    if ((await summary.isVisible()) && !(await page.locator(fold).evaluate((details) => details.open))) await summary.click();
  }
}

/** Opens the list of actions, which a narrow page folds away. */
export const unfoldList = (page) => unfold(page, ".picker > details");

/** The field for the code of a handler. */
export const code = (page) => page.locator("#handler .cm-content");

/** Handlers, by what they do. */
export const handlers = {
  throws: '() => { throw new Error("failed on purpose"); }',
  throwsText: '() => { throw "a text, which is no error"; }',
  waits: 'async ({ identifier }) => { await new Promise((go) => setTimeout(go, 1000)); console.log(`${identifier} finished`); return "waited a second"; }',
};

/** Writes an action of the person's own: its name, and its handler if it is another than the template. */
export async function register(page, name, handler) {
  await unfoldList(page);
  await page.getByRole("button", { name: "Write your own action" }).click();
  await page.getByLabel("Name of your action").fill(name);
  await page.keyboard.press("Enter");
  if (handler === undefined) return;
  await code(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(handler);
}

/** An installation that got the message of a campaign, which one can follow. */
export async function someone(page) {
  const headers = { "x-authorization": "rest_demo", "x-mock-scenario": "progress=now", "x-mock-lint": "off" };
  const { origin } = new URL(page.url());
  const data = { from: "2026-02-20T00:00:00", to: "now", events: ["push_sent"], ids: ["install_id"] };
  const { requestId } = await (await page.request.post(`${origin}/1.0/live_demo/export/campaign/welcome/events`, { headers, data })).json();
  const { parts } = await (await page.request.get(`${origin}/_mock/exports/${requestId}/index`)).json();
  return (await (await page.request.get(parts[0].link)).text()).split("\n")[1].split(";")[0];
}
