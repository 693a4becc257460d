// What an overlay of the server adds stands on the page, which knows nothing of it when it is built: a kind of export, an event, a
// column, an attribute.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { editor, eventually } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const overlay = mkdtempSync(join(tmpdir(), "overlay-"));
after(() => rmSync(overlay, { recursive: true }));

/** Writes a file of the overlay: an embedded one, or another, as `change` leaves it. */
function write(file, change, from = file) {
  const schema = JSON.parse(readFileSync(join(root, "schemas", from), "utf8").replaceAll(from, file));
  change(schema);
  mkdirSync(dirname(join(overlay, file)), { recursive: true });
  writeFileSync(join(overlay, file), JSON.stringify(schema));
}

const tenant = { description: "Whose installation it is.", type: "string", enum: ["north", "south;west"], "x-weights": { north: 3, "south;west": 1 } };
const shoes = { description: "What is on the feet.", enum: ["boots", "sandals", null], "x-weights": { boots: 1, sandals: 1 } };

write(
  "own/devices.row.json",
  (schema) => {
    Object.assign(schema["x-export"], { kind: "devices", order: 12, path: "/1.0/{api_key}/export/devices", request: "own/devices.request.json" });
    Object.assign(schema, { title: "Devices row" });
    schema.properties.tenant = tenant;
    schema.required.push("tenant");
  },
  "legacy/userbase.row.json",
);
write("own/devices.request.json", (schema) => Object.assign(schema, { title: "Devices export request" }), "legacy/userbase.request.json");
write("common/events.json", ({ $defs: { campaign } }) => {
  campaign.enum.push("push_dismissed");
  campaign["x-journey"].push({ event: "push_dismissed", after: "push_sent", rate: 0.5, delay: "PT5M", unless: ["push_error"] });
});
write("legacy/campaign.request.json", ({ properties: { events } }) => {
  events.items.enum.push("push_dismissed");
  events.examples[0].push("push_dismissed");
});
write("profiles/attributes.output.json", (schema) => (schema.items.properties.attributes.properties.shoes = shoes));

for (const service of ["contacts", "analytics"])
  cpSync(join(root, "mockserver/examples/services", service, service), join(overlay, service), { recursive: true });

const compose = (page) => page.locator(".compose");
const json = (page) => editor(compose(page));

async function make(page, kind) {
  await page.locator("#kind").selectOption(kind);
  const fold = page.locator(".scenario");
  if (!(await fold.evaluate((element) => element.open))) await fold.locator("> summary").click();
  await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
  await page.keyboard.press("Escape"); // the menu covers the form
}

async function sent(page) {
  await page.getByRole("button", { name: "Send the request" }).click();
  await page.locator(".states .now.SUCCESS").waitFor();
  await page.locator(".grid tbody tr").first().waitFor();
}

async function typed(page, text) {
  await page.getByRole("radio", { name: "JSON", exact: true }).check();
  await json(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

async function offers(page, text) {
  await typed(page, text);
  await page.keyboard.press("Control+Space");
  const labels = page.locator(".cm-tooltip-autocomplete .cm-completionLabel");
  await labels.first().waitFor();
  return labels.allInnerTexts();
}

onPage(
  "an overlay on the page",
  (given) => {
    test("nothing of it was built into the page", () => {
      const assets = join(root, "build/web/assets");
      const scripts = readdirSync(assets).filter((name) => name.endsWith(".js") && !name.startsWith("standalone"));
      for (const name of scripts) {
        const text = readFileSync(join(assets, name), "utf8");
        for (const word of ["devices", "push_dismissed", "tenant", "campaign.events", "advertising_id", "email_spam_complaint"])
          assert.ok(!text.includes(`"${word}"`), `${name} has ${word}`);
      }
    });

    test("a kind with a column: form, table, columns", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      await make(page, "devices");
      await page.getByText("Exports every installation as it is now.").waitFor();
      await page.getByRole("checkbox", { name: "advertising_id" }).check();
      await sent(page);
      const heads = await page.locator(".grid thead th").allInnerTexts();
      assert.match(heads.at(-1), /^tenant/);
      await page.locator(".grid tbody tr", { hasText: "south;west" }).first().waitFor();
      await page.getByTitle(/^Whose installation it is\. One of north, south;west\./).waitFor();
    });

    test("an event: form, completion, faults, plot", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      await make(page, "campaign.events");
      assert.equal(await page.getByRole("checkbox", { name: "push_dismissed" }).isChecked(), true);
      assert.ok((await offers(page, '{"events": ["')).includes('"push_dismissed"'));
      await typed(page, '{"from": "now", "to": "now", "events": ["push_dismised"], "ids": ["install_id"]}');
      await page.locator(".faults li", { hasText: "did you mean push_dismissed?" }).waitFor();
      await page.getByRole("button", { name: "Example" }).click();
      await eventually(async () => assert.match(await json(page).innerText(), /push_dismissed/));
      await sent(page);
      await page.getByText("Events over time", { exact: true }).click();
      await page.locator("figure.plot th", { hasText: "push_dismissed" }).first().waitFor();
    });

    test("an attribute: form, completion, table, columns", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      await make(page, "profiles.attributes");
      await page.getByRole("checkbox", { name: "shoes" }).check();
      await page.getByRole("radio", { name: "JSON", exact: true }).check();
      await eventually(async () => assert.ok(JSON.parse(await json(page).innerText()).attributes.includes("shoes")));
      await sent(page);
      await page.locator(".grid thead", { hasText: "shoes" }).waitFor();
      await page.getByTitle(/^What is on the feet\./).waitFor();
      assert.ok((await offers(page, '{"attributes": ["')).includes('"shoes"'));
    });

    test("files of added services: packed, and those that answer the request", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      for (const [kind, container] of Object.entries({ contacts: "zip", "analytics.hours": "gzip", "analytics.day": "gzip" })) {
        await make(page, kind);
        await page.getByRole("button", { name: "Send the request" }).click();
        await page.locator(".file h2", { hasText: `as ${container}, unpacked here` }).waitFor();
        await page.getByRole("searchbox", { name: "Text to look for" }).fill("en");
        await page.getByRole("button", { name: "Filter", exact: true }).click();
        await page.getByText(/^[1-9][0-9,]* of [1-9][0-9,]* rows/).waitFor();
        await page.locator(".grid tbody tr").first().waitFor();
      }
    });

    test("follows a server that was started again with other schemas", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      await make(page, "devices");
      await page.context().setOffline(true);
      await page.getByText("The server does not answer.").waitFor();
      await page.route("**/schemas.json", async (route) => {
        const answer = await route.fetch({ headers: { ...route.request().headers(), "if-none-match": "" } });
        await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"kind":"devices"', '"kind":"machines"') });
      });
      await page.context().setOffline(false);
      await page.locator("#kind option", { hasText: /\(machines\)$/ }).waitFor({ state: "attached" });
      page.faults = page.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault));
    });

    test("says when the server does not describe its exports, and asks again", async () => {
      let asked = 0;
      const refuse = (route) => (asked++, route.abort());
      const page = await given.open({ hash: "#exports", ready: false, prepare: (page) => page.route("**/schemas.json", refuse) });
      await page.getByRole("alert").getByText(`The page asks ${given.origin} which exports there are`).waitFor();
      const before = asked;
      await page.getByRole("button", { name: "Ask again" }).first().click();
      await eventually(async () => assert.ok(asked > before));
      await page.unroute("**/schemas.json"); // it asks by itself as well, once the server has answered something else
      await page.locator("#kind option", { hasText: /\(devices\)$/ }).waitFor({ state: "attached" });
      page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
    });
  },
  ["--schemas", overlay],
);
