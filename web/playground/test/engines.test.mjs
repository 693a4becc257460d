// What the page is for, in every engine: an action on both hosts, an export from the request to its rows, and the loop from a tap to a row.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Anywhere, engines } from "./support/anywhere.mjs";
import { missing, start } from "./support/server.mjs";

const editor = ".editor .cm-content";
const status = "document.querySelector('.log > .entry')?.dataset.status";

for (const [name, engine] of Object.entries(engines)) {
  const reason = engine.missing() || missing();
  if (reason && !process.env.REQUIRE_ALL) {
    test(`the page in ${name}`, { skip: reason }, () => {});
    continue;
  }
  describe(`the page in ${name}`, { timeout: 1_200_000 }, () => {
    let server;
    let launched;
    before(async () => {
      if (reason) throw new Error(reason);
      server = await start();
      launched = await engine.launch({ server: { origin: server.origin, onRequest() {} } });
    });
    after(async () => {
      await launched?.close();
      await server?.stop();
    });

    async function open(hash = "") {
      const page = await launched.newPage();
      const person = new Anywhere(page);
      await page.goto("about:blank"); // another part of the same page would not be loaded anew
      await page.goto(`${server.origin}/${hash}`);
      return person;
    }

    async function perform(person, identifier, host, args) {
      await person.click("button", `${identifier.replaceAll(".", "\\.")}$`, ".picker");
      await person.until("document.querySelector('#identifier, [aria-label=Identifier], .call input')?.value === it", identifier);
      if (args) await person.type(editor, JSON.stringify(args));
      const before = await person.evaluate("document.querySelectorAll('.log > .entry').length");
      await person.click("button", `^(Perform|Trigger) (in|on) ${host}$`);
      await person.until("document.querySelectorAll('.log > .entry').length > it", before);
      await person.until(`!["running", "late"].includes(${status})`);
      return person.evaluate(`({ status: ${status}, message: document.querySelector('.log > .entry .message')?.textContent ?? "" })`);
    }

    test("an action is performed on the phone and in this browser, and wrong arguments are refused", async () => {
      const person = await open();
      await person.see("[data-host=phone].verdict:not(.wait)");
      assert.equal((await perform(person, "service.clipboard", "phone", { t: "WELCOME10" })).status, "performed");
      assert.match(await person.see(".host.phone .effects li"), /WELCOME10/);
      const refused = await perform(person, "service.clipboard", "phone", { t: 5 });
      assert.equal(refused.status, "invalid_arguments");
      assert.match(refused.message, /"t" is a number/);
      await person.click("label", "^This browser$");
      assert.equal((await perform(person, "service.clipboard", "browser", { t: "WELCOME20" })).status, "performed");
      assert.match(await person.see(".host.browser .effects li"), /WELCOME20/);
      assert.deepEqual(person.faults, []);
    });

    test("an export is made, and its rows are shown", async () => {
      const person = await open("#exports");
      await person.see("button", "^Send the request$");
      await person.select("#kind", "userbase");
      await person.click("button", "^Send the request$");
      await person.see(".states");
      await person.click("button", "^1 min$|^\\+?1 ?m");
      await person.see(".states .now.SUCCESS");
      await person.see(".grid [role=row]:not(.head, .coming)");
      assert.match(await person.see(".grid .head [role=columnheader]", "install_id|custom_id"), /_id/);
      assert.deepEqual(person.faults, []);
    });

    test("a tap on the phone is a row of the next export", async () => {
      const person = await open("#loop");
      await person.see(".primary:not([aria-disabled=true])", "Show the message", "[aria-label=Phone]");
      await person.click("button", "Show the message", "[aria-label=Phone]");
      await person.click("button", "See the offers", "[aria-label=Phone]");
      await person.see(".outcome", "See the offers: performed", "[aria-label=Phone]");
      await person.until("[...document.querySelectorAll('.recorded .events li.there strong')].some((event) => event.innerText === 'inapp_clicked')");
      await person.click("button", "^Make the exports$");
      await person.until("document.querySelectorAll('.one[data-state=there]').length >= 3");
      assert.match(await person.see("tbody tr", "inapp_clicked"), /playground-phone/);
      assert.deepEqual(person.faults, []);
    });
  });
}
