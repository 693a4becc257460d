// Each built-in action on the simulated phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { choose, conditions, eventually, happened, perform, press, result, type } from "./support/person.mjs";

const screen = (page) => page.locator(".device .screen");

/** Sets conditions of the phone, by their labels. */
async function set(page, choices) {
  const panel = await conditions(page, "phone");
  for (const [label, value] of Object.entries(choices)) {
    if (label === "Platform") await panel.getByRole("radio", { name: value }).check();
    else if (label === "OS version")
      await panel
        .getByLabel(label)
        .fill(value)
        .then(() => panel.getByLabel(label).blur());
    else await panel.getByRole("combobox", { name: label, exact: true }).selectOption({ label: value });
  }
}

const answer = (page, name) => page.locator(".device").getByRole("button", { name, exact: true }).click();

onPage("on the phone", (given) => {
  test("the message is dismissed and the app left", async () => {
    const page = await given.open();
    assert.equal((await perform(page, "phone", "service.dismiss")).status, "performed");
    await screen(page).locator(".home").waitFor();
    await screen(page).getByRole("button", { name: "Your app" }).click();
    await screen(page).getByText("A message in your app").waitFor();
  });

  test("links open outside, inside, or in another app", async () => {
    const page = await given.open();
    await perform(page, "phone", "service.deeplink", { l: "https://example.com/offers" });
    await eventually(async () => assert.match(await screen(page).innerText(), /https:\/\/example\.com\/offers/));
    await perform(page, "phone", "service.deeplink", { l: "https://example.com/offers", li: true });
    await eventually(async () => assert.match(await screen(page).innerText(), /Opened inside the app/));
    await perform(page, "phone", "service.deeplink", { l: "shop://basket" });
    await eventually(async () => assert.match(await screen(page).innerText(), /Another app/));
    await set(page, { "Deeplink interceptor": "passes every link on" });
    await perform(page, "phone", "service.deeplink", { l: "shop://a" });
    await set(page, { "Deeplink interceptor": "handles every link" });
    await perform(page, "phone", "service.deeplink", { l: "shop://b" });
    const expected = ["interceptor handled\nshop://b", "link opened\nshop://a", "interceptor passed on\nshop://a"];
    await eventually(async () => assert.deepEqual((await happened(page, "phone")).slice(0, 3), expected));
  });

  for (const name of ["service.ios_request_notifications", "service.request_notifications"]) {
    test(`${name} shows the pop-up and waits for the answer`, async () => {
      const page = await given.open();
      await choose(page, name);
      await press(page, "phone");
      await eventually(async () => assert.equal((await result(page, "running")).status, "running"));
      await answer(page, "Allow");
      await eventually(async () => assert.equal((await result(page, "performed")).value, '"authorized"'));
      await eventually(async () =>
        assert.match(await page.locator(".host.phone .permissions").innerText(), /Notifications\s+allowed/),
      );
    });
  }

  test("smart re-opt-in asks first, and opens the settings after a no", async () => {
    const page = await given.open();
    await choose(page, "service.ios_smart_reoptin");
    await press(page, "phone");
    await answer(page, "Don’t allow");
    await eventually(async () => assert.equal((await result(page, "performed")).value, '"denied"'));
    assert.equal((await perform(page, "phone", "service.smart_reoptin")).status, "performed");
    const permission = screen(page).getByRole("switch", { name: "Allow notifications" });
    await eventually(async () => assert.equal(await permission.isChecked(), false));
    await permission.check();
    await eventually(async () =>
      assert.match(await page.locator(".host.phone .permissions").innerText(), /Notifications\s+allowed/),
    );
  });

  test("the settings open", async () => {
    const page = await given.open();
    for (const name of ["service.ios_redirect_settings", "service.redirect_settings"]) {
      assert.equal((await perform(page, "phone", name)).status, "performed");
      await screen(page).locator(".settings").waitFor();
      await screen(page).getByRole("button", { name: "Back" }).click();
    }
  });

  test("tags and events are kept", async () => {
    const page = await given.open();
    await perform(page, "phone", "service.user.tag", { a: "add", c: "interests", t: "running" });
    await perform(page, "phone", "service.user.tag", { a: "remove", c: "interests", t: "running" });
    await eventually(async () => assert.deepEqual(await happened(page, "phone"), ["tag removed\ninterests: running", "tag added\ninterests: running"]));
    await perform(page, "phone", "service.user.event", { e: "read", t: ["a"], l: "x" });
    await eventually(async () => assert.match((await happened(page, "phone"))[0], /"label": "x", "tags": \["a"\]/));
  });

  test("consent to tracking depends on the version and on earlier answers", async () => {
    const page = await given.open();
    await choose(page, "service.ios_tracking_consent");
    await press(page, "phone");
    await answer(page, "Ask not to track");
    await eventually(async () => assert.equal((await result(page, "performed")).value, '"denied"'));
    await perform(page, "phone", "service.tracking_consent");
    await screen(page).getByRole("switch", { name: "Allow tracking" }).waitFor();
    await set(page, { Tracking: "restricted" });
    await perform(page, "phone", "service.tracking_consent");
    await set(page, { Tracking: "not asked yet", "OS version": "13.7" });
    const before = await happened(page, "phone");
    assert.equal((await perform(page, "phone", "service.ios_tracking_consent")).status, "performed");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await eventually(async () => assert.deepEqual(await happened(page, "phone"), before));
  });

  test("the clipboard of the phone is its own", async () => {
    const page = await given.open();
    await perform(page, "phone", "service.clipboard", { t: "WELCOME10" });
    await eventually(async () => assert.match(await page.locator(".host.phone .permissions").innerText(), /Clipboard\s+WELCOME10/));
  });

  test("a rating is requested, from iOS 10.3 on", async () => {
    const page = await given.open();
    const { status, value } = await perform(page, "phone", "service.rating");
    assert.deepEqual([status, value], ["performed", '"requested"']);
    await answer(page, "Not now");
    await set(page, { "OS version": "10.2" });
    assert.equal((await perform(page, "phone", "service.rating")).status, "unsupported");
    await page.locator("[data-host=phone].verdict.ok, [data-host=phone].verdict.none").waitFor();
  });

  test("a group waits for each answer before it goes on", async () => {
    const page = await given.open();
    await choose(page, "service.group");
    await type(page, {
      actions: [
        ["service.ios_request_notifications", {}],
        ["service.ios_tracking_consent", {}],
        ["service.clipboard", { t: "after" }],
      ],
    });
    await press(page, "phone");
    await answer(page, "Allow");
    await page.getByRole("dialog", { name: /track your activity/ }).waitFor();
    await eventually(async () => assert.equal((await result(page, "running")).status, "running"));
    await answer(page, "Allow");
    const { items } = await result(page, "performed");
    assert.deepEqual(items, ["performed", "performed", "performed"]);
    const expected = [
      "copied to the clipboard",
      "tracking pop-up answered",
      "tracking pop-up shown",
      "notification pop-up answered",
      "notification pop-up shown",
    ];
    const titles = async () => (await happened(page, "phone")).map((line) => line.split("\n")[0]);
    await eventually(async () => assert.deepEqual(await titles(), expected));
  });

  test("a group of a group is refused, and nothing runs", async () => {
    const page = await given.open();
    const { status } = await perform(page, "phone", "service.group", {
      actions: [
        ["service.clipboard", { t: "x" }],
        ["SERVICE.Group", { actions: [] }],
      ],
    });
    assert.equal(status, "invalid_arguments");
    await eventually(async () => assert.deepEqual(await happened(page, "phone"), []));
  });

  test("a capability can be missing, blocked or failing", async () => {
    const page = await given.open();
    await set(page, { Clipboard: "is missing" });
    await page.locator("[data-host=phone].verdict.none").waitFor();
    assert.equal((await perform(page, "phone", "service.clipboard", { t: "x" })).status, "unsupported");
    await set(page, { Clipboard: "is blocked" });
    assert.equal((await perform(page, "phone", "service.clipboard", { t: "x" })).status, "blocked");
    await set(page, { Clipboard: "fails" });
    assert.equal((await perform(page, "phone", "service.clipboard", { t: "x" })).status, "failed");
  });

  test("an Android phone performs the same identifiers", async () => {
    const page = await given.open();
    await set(page, { Platform: "Android" });
    await page.getByText("Simulated: Android 16.").waitFor();
    assert.equal((await perform(page, "phone", "service.rating")).value, '"requested"');
    await answer(page, "5 stars");
    await choose(page, "service.ios_request_notifications");
    await press(page, "phone");
    await answer(page, "Allow");
    await eventually(async () => assert.equal((await result(page, "performed")).value, '"authorized"'));
  });
});
