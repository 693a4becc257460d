// Actions that the person registers on the page, and what triggers them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { chooseHost, eventually, happened, perform, handlers, press, register, result, type } from "./support/person.mjs";

const own = (page) => page.locator(".picker .own .action code").allInnerTexts();

onPage("the person's own actions", (given) => {
  test("one that notes the call runs on both hosts, in any letter case", async () => {
    const page = await given.open();
    await register(page, "Open-Basket");
    await eventually(async () => assert.deepEqual(await own(page), ["Open-Basket"]));
    await eventually(async () => assert.equal(await page.getByLabel("Identifier").inputValue(), "Open-Basket"));
    await page.getByLabel("Identifier").fill("OPEN-BASKET");
    await type(page, { step: 2 });
    await press(page, "browser");
    await eventually(async () => assert.equal((await result(page, "performed")).host, "browser"));
    await press(page, "phone");
    await page.locator(".log > .entry").nth(1).waitFor();
    for (const host of ["browser", "phone"]) {
      await chooseHost(page, host);
      await eventually(async () =>
        assert.deepEqual(await happened(page, host), ["Open-Basket was called by manual", 'Open-Basket called\nsource manual, arguments { "step": 2 }']),
      );
    }
  });

  test("what a handler does wrong is a result, not an accident", async () => {
    const page = await given.open();
    await register(page, "broken", handlers.throws);
    await press(page, "browser");
    await eventually(async () => assert.match((await result(page, "failed")).message, /failed on purpose/));
    await register(page, "odd", handlers.throwsText);
    await press(page, "phone");
    await page.locator(".log > .entry").nth(1).waitFor();
    await eventually(async () => assert.match((await result(page, "failed")).message, /a text, which is no error/));
  });

  test("names that cannot be registered are refused, and the name of before stays", async () => {
    const page = await given.open();
    for (const [name, reason] of [
      ["Service.mine", /reserved for built-in actions/],
      ["   ", /blank/],
      ["", /blank/],
    ]) {
      await register(page, name);
      await eventually(async () => assert.match(await page.locator(".refusal").innerText(), reason));
      await eventually(async () => assert.match(await page.getByLabel("Name of your action").inputValue(), /^my-action/));
    }
    await eventually(async () => assert.deepEqual(await own(page), ["my-action", "my-action-2", "my-action-3"]));
    await page.getByLabel("Name of your action").fill("services");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.deepEqual(await own(page), ["my-action", "my-action-2", "services"]));
    await eventually(async () => assert.equal(await page.locator(".refusal").count(), 0));
  });

  test("a second registration replaces the first, and unregistering removes it", async () => {
    const page = await given.open();
    await register(page, "thing", handlers.throws);
    await register(page, "THING");
    await eventually(async () => assert.deepEqual(await own(page), ["THING"]));
    await press(page, "browser");
    await eventually(async () => assert.equal((await result(page, "performed")).status, "performed"));
    await page.getByRole("button", { name: "Unregister THING" }).click();
    await eventually(async () => assert.deepEqual(await own(page), []));
    await chooseHost(page, "phone");
    await page.locator("[data-host=phone].verdict.refused").waitFor();
    await press(page, "phone");
    await eventually(async () => assert.equal((await result(page, "not_found")).status, "not_found"));
  });

  test("a group waits for an action that takes its time", async () => {
    const page = await given.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await register(page, "slow", handlers.waits);
    const { status, items } = await perform(page, "phone", "service.group", {
      actions: [
        ["slow", {}],
        ["service.clipboard", { t: "after" }],
      ],
    });
    assert.deepEqual([status, items], ["performed", ["performed", "performed"]]);
    const titles = async () => (await happened(page, "phone")).map((line) => line.split("\n")[0]);
    await eventually(async () => assert.deepEqual(await titles(), ["copied to the clipboard", "slow finished", "slow called"]));
  });

  test("a trigger is held until the SDK is started; a perform is not", async () => {
    const page = await given.open();
    await register(page, "open-basket");
    await page.locator(".host.phone").getByRole("button", { name: "Restart app" }).click();
    await page.getByRole("radio", { name: "A push" }).check();
    await page.getByLabel("Payload of the push message").fill('{"campaign": "spring"}');
    await press(page, "phone");
    await eventually(async () => assert.equal((await result(page, "held")).status, "held"));
    await page.locator(".host.phone").getByText("not started, 1 held").waitFor();
    await page.getByRole("radio", { name: "The app" }).check();
    await press(page, "phone");
    await eventually(async () => assert.equal((await result(page, "performed")).status, "performed"));
    await eventually(async () => assert.equal((await happened(page, "phone")).length, 2));
    await page.locator(".host.phone").getByRole("button", { name: "Start SDK" }).click();
    await page.locator(".log > .entry.performed").nth(1).waitFor();
    const expected = [
      "open-basket was called by push",
      'open-basket called\nsource push { "campaign": "spring" }, arguments { "greeting": "hello" }',
      "open-basket was called by manual",
      'open-basket called\nsource manual, arguments { "greeting": "hello" }',
    ];
    await eventually(async () => assert.deepEqual(await happened(page, "phone"), expected));
    await eventually(async () => assert.equal(await page.locator(".host.phone .pill").innerText(), "SDK started"));
  });

  test("a held trigger ends with the app", async () => {
    const page = await given.open();
    await chooseHost(page, "browser");
    await page.locator(".host.browser").getByRole("button", { name: "Restart app" }).click();
    await page.getByRole("radio", { name: "A push" }).check();
    await press(page, "browser");
    await eventually(async () => assert.match((await result(page, "held")).facts, /triggered by push/));
    await page.getByRole("radio", { name: "The app" }).check();
    await page.locator(".host.browser").getByRole("button", { name: "Start SDK" }).click();
    await page.locator(".entry.performed, .entry.blocked").first().waitFor();
    await page.locator(".host.browser").getByRole("button", { name: "Restart app" }).click();
    await eventually(async () => assert.equal(await page.locator(".host.browser .pill").innerText(), "SDK not started"));
  });
});
