// The link that carries the state, and the page when something is missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { choose, conditions, editor, eventually, handlers, press, register, result, type } from "./support/person.mjs";

/** What the person sees of the state. */
async function seen(page) {
  await editor(page).waitFor();
  return {
    identifier: await page.getByLabel("Identifier").inputValue(),
    text: await editor(page).innerText(),
    source: await page.getByRole("radio", { name: "A push" }).isChecked(),
    payload: await page.getByLabel("Payload of the push message").inputValue(),
    own: await page.locator(".own .action").allInnerTexts(),
    phone: await page.locator(".host.phone .subtitle").innerText(),
    permissions: await page.locator(".host.phone .permissions").innerText(),
  };
}

onPage("the link", (given) => {
  test("brings everything back, for oneself and for others", async () => {
    const page = await given.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await register(page, "öffne Korb", handlers.waits);
    await choose(page, "service.user.event");
    await type(page, '{"e": "größe", "a": {"big": 9223372036854775807}}');
    await page.getByRole("radio", { name: "A push" }).check();
    await page.getByLabel("Payload of the push message").fill('{"k": "v"}');
    await page.getByRole("radio", { name: "Compare both" }).check();
    const panel = await conditions(page, "phone");
    await panel.getByRole("radio", { name: "Android" }).check();
    await panel.getByRole("combobox", { name: "Notifications", exact: true }).selectOption({ label: "denied" });
    const before = await seen(page);
    assert.equal(before.phone, "Simulated: Android 16.");

    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${given.origin}/#a=`), link);
    await page.waitForURL(link);
    await page.reload();
    await eventually(async () => assert.deepEqual(await seen(page), before));

    const other = await given.open({ hash: new URL(link).hash });
    await eventually(async () => assert.deepEqual(await seen(other), before));
    await choose(other, "service.rating"); // nothing has run by itself
    assert.equal(await other.locator(".log").count(), 0);
    await other
      .getByRole("button", { name: /öffne Korb/ })
      .first()
      .click();
    await press(other, "phone");
    await eventually(async () => assert.equal((await result(other, "performed")).value, '"waited a second"'));
  });

  test("can be broken, or made by anybody", async () => {
    const broken = await given.open({ hash: "#a=bm9uc2Vuc2U" });
    await broken.getByText("This link could not be read").waitFor();
    const cut = await given.open({ hash: "#exports/file/%", ready: false });
    await cut.getByText("This link could not be read").waitFor();
    await eventually(async () => assert.equal(await broken.getByLabel("Identifier").inputValue(), "service.clipboard"));

    // Programs for chats add what stands behind a link.
    const whole = Buffer.from(JSON.stringify({ v: 1, i: "service.rating", t: "{}" })).toString("base64url");
    const bracket = await given.open({ hash: `#a=${whole}).` });
    await eventually(async () => assert.equal(await bracket.getByLabel("Identifier").inputValue(), "service.rating"));

    const hostile = {
      v: 1,
      i: "<img src=x onerror=alert(1)>",
      t: "{}",
      c: [["service.mine", "record"], ["ok", "nonsense"], 5],
      p: { platform: "toaster", capabilities: { clipboard: 7 } },
      b: 5,
      s: ["?"],
    };
    const hash = `#a=${Buffer.from(JSON.stringify(hostile)).toString("base64url")}`;
    const page = await given.open({ hash });
    await eventually(async () => assert.equal(await page.getByLabel("Identifier").inputValue(), hostile.i));
    await eventually(async () => assert.equal(await page.locator(".host.phone .subtitle").innerText(), "Simulated: iOS 18.5."));
    await press(page, "browser");
    await eventually(async () => assert.equal((await result(page, "not_found")).identifier, hostile.i));
  });

  test("says when a part of the page cannot be loaded, and tries again", async () => {
    const page = await given.open();
    await page.route("**/assets/view-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Exports", exact: true }).click();
    await page.getByText("The exports could not be loaded.").waitFor();
    await page.unroute("**/assets/view-*.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: /^Rehearse your exports/ }).waitFor();
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });

  test("leads back and forth between the halves", async () => {
    const page = await given.open();
    await choose(page, "service.rating");
    await page.getByRole("link", { name: "Exports" }).click();
    await page.getByRole("heading", { name: /^Rehearse your exports/ }).waitFor();
    await page.goBack();
    await eventually(async () => assert.equal(await page.getByLabel("Identifier").inputValue(), "service.rating"));
  });

  test("the page says when the actions cannot be loaded, and tries again", async () => {
    let fail = true;
    const page = await given.open({
      ready: false,
      prepare: (page) => page.route("**/assets/*.wasm", (route) => (fail ? route.abort() : route.continue())),
    });
    const trouble = page.getByRole("alert");
    await trouble.waitFor();
    await eventually(async () => assert.match(await trouble.innerText(), /could not be loaded.*assets\/actions-/));
    await page.getByText(/Cannot run yet: the actions are not loaded/).waitFor();
    fail = false;
    await trouble.getByRole("button", { name: "Try again" }).click();
    await page.locator("[data-host=phone].verdict.ok").waitFor();
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });
});
