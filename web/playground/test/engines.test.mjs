// What the page is for, in every engine: an action on both hosts, an export from the request to its rows, and the loop from a tap to a row.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nightly } from "../../actions/test/support/level.mjs";
import { inEngines } from "./support/anywhere.mjs";

const status = "document.querySelector('.log > .entry')?.dataset.status";

// Chromium has every other test, and runs these at night.
inEngines([...(nightly ? ["chromium"] : []), "firefox", "webkit"], "the page", (open) => {
  /** Opens a link that carries a call, as somebody was sent it, and presses the button. */
  async function perform(host, identifier, args) {
    const carried = { v: 1, i: identifier, t: JSON.stringify(args), ...(host === "browser" && { h: host }) };
    const person = await open(`#a=${Buffer.from(JSON.stringify(carried)).toString("base64url")}`);
    await person.see(`[data-host=${host}].verdict:not(.wait)`);
    await person.click("button", `^Perform (in|on) ${host}$`);
    await person.until(`![undefined, "running"].includes(${status})`);
    const result = await person.evaluate(`({ status: ${status}, message: document.querySelector(".log > .entry .message")?.textContent ?? "" })`);
    assert.deepEqual(person.faults, []);
    return { person, ...result };
  }

  for (const host of ["phone", "browser"]) {
    test(`an action is performed ${host === "phone" ? "on the" : "in the"} ${host}, and wrong arguments are refused`, async () => {
      const { person, status } = await perform(host, "service.clipboard", { t: "WELCOME10" });
      assert.equal(status, "performed");
      assert.match(await person.see(`.host.${host} .effects li`), /WELCOME10/);
      const refused = await perform(host, "service.clipboard", { t: 5 });
      assert.equal(refused.status, "invalid_arguments");
      assert.match(refused.message, /"t" is a number/);
    });
  }

  test("an export is made, and its rows are shown", async () => {
    const person = await open("#exports");
    await person.see("button", "^Send the request$");
    await person.select("#kind", "userbase");
    await person.click("button", "^Send the request$");
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
