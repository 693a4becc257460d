// The built-in actions in this browser, as the page supplies and shows them. What browsers do is tested with the package of the actions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { choose, chooseHost, eventually, happened, perform, press, result, type } from "./support/person.mjs";

const clipboard = ["clipboard-read", "clipboard-write"];
const pasted = (page) => page.evaluate(() => navigator.clipboard.readText());

onPage("in this browser", (given) => {
  test("the clipboard holds what was copied, and is empty after an empty text", async () => {
    const page = await given.open({ permissions: clipboard });
    assert.equal((await perform(page, "browser", "service.clipboard", { t: "Grüße, 🎭" })).status, "performed");
    await eventually(async () => assert.equal(await pasted(page), "Grüße, 🎭"));
    assert.equal((await perform(page, "browser", "service.clipboard", { t: "" })).status, "performed");
    await eventually(async () => assert.equal(await pasted(page), ""));
    await eventually(async () =>
      assert.deepEqual(await happened(page, "browser"), ["clipboard cleared", "copied to the clipboard\nGrüße, 🎭"]),
    );
  });

  test("a deeplink inside the app goes to the page's router, and another one to a window of its own", async () => {
    const page = await given.open();
    assert.equal((await perform(page, "browser", "service.deeplink", { l: "/icon.svg", li: true })).status, "performed");
    await eventually(async () => assert.match(await page.locator(".route").innerText(), /\/icon\.svg/));
    await choose(page, "service.deeplink");
    await type(page, { l: "/icon.svg" });
    const opened = page.context().waitForEvent("page");
    await press(page, "browser");
    await (await opened).waitForURL("**/icon.svg");
  });

  test("a deeplink that runs code is refused, and the page says so before", async () => {
    const page = await given.open();
    await choose(page, "service.deeplink");
    await page.getByRole("radio", { name: "Compare both" }).check();
    await type(page, { l: " java\tscript:document.title='gone'" });
    await page.locator("[data-host=browser].verdict.refused").waitFor();
    await page.locator("[data-host=phone].verdict.refused").waitFor();
    await press(page, "browser");
    await eventually(async () => assert.equal((await result(page, "invalid_arguments")).status, "invalid_arguments"));
    await eventually(async () => assert.notEqual(await page.title(), "gone"));
  });

  test("notifications are asked for, and the page shows what the browser was answered", async () => {
    const page = await given.open();
    await chooseHost(page, "browser");
    await page.locator(".host.browser .permission.default").waitFor();
    const { status, value } = await perform(page, "browser", "service.ios_request_notifications");
    const permission = await page.evaluate(() => Notification.permission);
    const said = { default: "not_determined", granted: "authorized", denied: "denied" }[permission];
    assert.deepEqual([status, value], ["performed", JSON.stringify(said)]);
    await page.locator(`.host.browser .permission.${permission}`).waitFor();
    await eventually(async () => assert.match((await happened(page, "browser"))[0], /^notification permission/));
  });

  test("a permission that was given or denied before is what the browser says", async () => {
    const granted = await given.open({ permissions: ["notifications"] });
    await chooseHost(granted, "browser");
    await eventually(async () => assert.match(await granted.locator(".host.browser .permissions").innerText(), /allowed/));
    assert.equal((await perform(granted, "browser", "service.ios_request_notifications")).value, '"authorized"');

    const denied = await given.open();
    await chooseHost(denied, "browser");
    await given.permit(denied, "notifications", "denied");
    await denied.locator(".host.browser .permission.denied").waitFor();
    assert.equal((await perform(denied, "browser", "service.request_notifications")).value, '"denied"');
  });

  test("what no browser has is unsupported, and the page says so before", async () => {
    const page = await given.open();
    for (const name of ["service.redirect_settings", "service.tracking_consent", "service.rating"]) {
      await choose(page, name);
      await chooseHost(page, "browser");
      await page.locator("[data-host=browser].verdict.none").waitFor();
      assert.equal((await perform(page, "browser", name)).status, "unsupported", name);
    }
  });

  test("tags and events are those of the page's user", async () => {
    const page = await given.open();
    await perform(page, "browser", "service.user.tag", { a: "add", c: "interests", t: "running" });
    await perform(page, "browser", "service.user.tag", { a: "add", c: "interests", t: "chess" });
    await perform(page, "browser", "service.user.tag", { a: "remove", c: "interests", t: "running" });
    await eventually(async () =>
      assert.deepEqual(await happened(page, "browser"), ["tag removed\ninterests: running", "tag added\ninterests: chess", "tag added\ninterests: running"]),
    );
    await perform(page, "browser", "service.user.event", { e: "read", l: null, a: { n: 9007199254740993 } });
    await eventually(async () => assert.match((await happened(page, "browser"))[0], /"name": "read", "label": null, "tags": \[\]/));
  });

  test("the message of the page is dismissed, once", async () => {
    const page = await given.open();
    assert.equal((await perform(page, "browser", "service.dismiss")).status, "performed");
    await page.getByText("The message was dismissed.").waitFor();
    assert.equal((await perform(page, "browser", "service.dismiss")).status, "failed");
    await page.getByRole("button", { name: "Show it again" }).click();
    assert.equal((await perform(page, "browser", "service.dismiss")).status, "performed");
  });

  test("a group runs in order, and says what became of each action", async () => {
    const page = await given.open({ permissions: clipboard });
    const { status, items, message } = await perform(page, "browser", "service.group", {
      actions: [
        ["service.clipboard", { t: "one" }],
        ["service.user.tag", { a: "add", c: "c", t: "t" }],
        ["service.user.tag", { a: "nonsense" }],
        ["nobody", {}],
        ["service.rating", {}],
        ["Service.Clipboard", { t: "two" }],
      ],
    });
    assert.equal(status, "partial");
    assert.equal(message, "3 of 6 items were performed");
    assert.deepEqual(items, ["performed", "performed", "invalid_arguments", "not_found", "unsupported", "performed"]);
    await eventually(async () => assert.equal(await pasted(page), "two"));
    const expected = ["copied to the clipboard\ntwo", "tag added\nc: t", "copied to the clipboard\none"];
    await eventually(async () => assert.deepEqual(await happened(page, "browser"), expected));
  });
});
