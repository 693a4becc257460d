// Apps that join the page's server: a page of another origin, Node, and who may not; and what the page shows of them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createActions } from "@rehearsal/actions";
import { buildEntries } from "../../actions/build-entries.mjs";
import { engines } from "../../actions/test/support/engines.mjs";
import { some } from "../../actions/test/support/level.mjs";
import { packageFolder, serve } from "../../actions/test/support/server.mjs";
import { faults } from "./support/axe.mjs";
import { editor, eventually, happened, result, type } from "./support/person.mjs";
import { imported } from "./support/schemas.mjs";
import { onPage } from "./support/stage.mjs";
import { inEngines } from "./support/anywhere.mjs";

let joinPlayground;
before(async () => {
  await buildEntries();
  ({ joinPlayground } = await import(`${packageFolder}/dist/playground.js`));
});

const joined = [];
after(() => joined.forEach((one) => one.leave()));

/** An app of Node that joins. */
async function shop(url, options) {
  const actions = createActions({ host: { clipboard: { write() {} } } });
  actions.register("open-cart", ({ arguments: { item } }) => `cart ${item}`);
  actions.register("break", () => { throw new Error("broken on purpose"); });
  actions.start();
  await actions.load();
  const it = joinPlayground(actions, { url, name: "Shop", instance: "the shop", log: () => {}, ...options });
  joined.push(it);
  assert.equal(await it.joined, true);
  return { actions, leave: () => it.leave() };
}

const schema = { type: "object", properties: { item: { type: "integer" }, colour: { enum: ["red", "blue"] } }, required: ["item"] };
const describe = { "open-cart": { title: "Open the cart", sample: { item: 7 }, schema } };
const target = (page, name) => page.getByRole("radio", { name, exact: true });

onPage("an app that has joined", (given) => {
  test("is a target like the phone: picker, verdict, result, what happened; and is gone when it goes", async () => {
    const page = await given.open();
    await target(page, "Your app").check();
    await page.getByText("no app has joined yet").waitFor();
    await page.getByText(`joinPlayground(actions, { url: "${given.origin}" });`).waitFor();
    await page.getByText(/^adb reverse tcp:(\d+) tcp:\1$/).waitFor();
    await eventually(async () => assert.deepEqual(await faults(page), []));
    const { actions, leave } = await shop(given.origin, { version: "1.4", describe });
    await target(page, "Shop").waitFor();
    await page.getByRole("button", { name: "Open the cart open-cart" }).click();
    await eventually(async () => assert.match(await editor(page).innerText(), /"item": 7/));
    await page.locator("[data-host=app].verdict.ok").waitFor();
    await page.getByRole("button", { name: "Perform in app" }).click();
    const { status, value, facts } = await result(page, "performed");
    assert.deepEqual([status, value, /^Shop/.test(facts)], ["performed", '"cart 7"', true]);
    await type(page, { item: "seven", colour: "green" });
    await eventually(async () => assert.equal(await page.locator(".cm-lintRange-warning").count(), 2));
    await page.locator(".cm-lintRange-warning").first().hover();
    await page.getByText("the schema of the app asks for integer, not string").waitFor();
    await page.locator("[data-host=app].verdict.ok").waitFor(); // the app may take them all the same
    await actions.perform("break", { by: "itself" });
    await eventually(async () => assert.match((await happened(page, "app"))[0], /^break failed\narguments \{ "by": "itself" \}: .*broken on purpose/));
    await page.getByRole("button", { name: /service\.rating$/ }).click();
    await page.locator("[data-host=app].verdict.none").waitFor();
    await page.getByRole("button", { name: /^break$/ }).click();
    await eventually(async () => assert.match(await editor(page).innerText(), /"by": "itself"/));
    actions.register("new-one", () => {});
    await page.locator(".picker").getByRole("button", { name: "new-one" }).waitFor();
    await target(page, "Compare both").check();
    await page.getByRole("button", { name: "Perform on both" }).click();
    await eventually(async () => assert.deepEqual(await page.locator(".latest strong").allInnerTexts(), ["Phone:", "Shop:"]));
    await target(page, "Shop").check();
    await eventually(async () => assert.deepEqual(await faults(page), []));

    leave();
    await page.locator(".host.app .pill", { hasText: "gone" }).waitFor();
    await page.locator("[data-host=app].verdict", { hasText: "gone" }).waitFor();
    const again = await shop(given.origin, { describe });
    await page.locator(".host.app .pill", { hasText: "joined" }).waitFor();
    assert.equal(await target(page, "Shop").isChecked(), true);
    const other = await shop(given.origin, { instance: "another", name: "Kiosk" });
    await page.getByLabel("One of 2 apps").selectOption({ label: "Kiosk, Node" });
    await target(page, "Kiosk").waitFor();
    for (const one of [again, other]) one.leave();
  });

  test("finds the server in each of its networks", async () => {
    const addresses = ["http://192.168.1.5:8080", "http://10.0.0.7:8080"];
    const page = await given.open({
      prepare: (page) =>
        page.route("**/_mock/hosts", async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), hosts: [], code: "ABCDEF", addresses } });
        }),
    });
    await target(page, "Your app").check();
    const networks = page.getByLabel("One of 2 networks");
    for (const address of addresses) {
      await networks.selectOption(address);
      await page.getByLabel(`QR code of ${address} with the code`).waitFor();
      await page.getByText(`joinPlayground(actions, { url: "${address}", code: "ABCDEF" });`).waitFor();
    }
    await eventually(async () => assert.deepEqual(await faults(page), []));
    await page.unrouteAll({ behavior: "wait" }); // the page asks each second
  });

  test("may be one of this origin or of a loopback page, and no other may look or perform", async () => {
    const page = await given.open();
    const { leave } = await shop(given.origin);
    const ask = async (path, method, origin, body) => {
      const headers = { "content-type": "application/json", ...(origin && { origin }) };
      return (await fetch(`${given.origin}/_mock/hosts${path}`, { method, headers, body: body && JSON.stringify(body) })).status;
    };
    const evil = "https://shop.example";
    const hello = { protocol: 1, instance: "evil", name: "Evil", platform: "web" };
    assert.deepEqual([await ask("", "GET", evil), await ask("/-/perform", "POST", evil, { identifier: "open-cart" }), await ask("", "POST", evil, hello)], [403, 403, 401]);
    await target(page, "Shop").check();
    await page.getByText("Connect an app").click();
    await page.getByText("Evil from https://shop.example").waitFor();
    leave();
  });
});

test("the code of an address is the one that readers know", async () => {
  const { modulesOf } = await imported("ui/qr.tsx");
  // What another program makes of these texts, with the same level and mask, as one number.
  const sum = (text) => modulesOf(text).flat().reduce((hash, dark) => (hash * 31 + (dark ? 1 : 2)) % 1_000_000_007, 7);
  assert.deepEqual([sum("x".repeat(17)), sum("x".repeat(53)), sum("z".repeat(106))], [567074668, 386399698, 766326402]);
  assert.equal(modulesOf("http://192.168.1.5:8080/join#ABCDEF").length, 29);
  assert.equal(modulesOf("z".repeat(107)), undefined);
});

/** Serves a page of another origin, as a development server does. */
const pagesThatJoin = (url) => {
  const body = `<!doctype html><title>Shop</title><script type="module">
    import { createActions } from "/dist/index.js";
    import { joinPlayground } from "/dist/playground.js";
    const actions = createActions();
    actions.register("double", ({ arguments: { n } }) => n * 2);
    window.it = joinPlayground(actions, { url: "${url}", log: () => {} });
  </script>`;
  return serve({ routes: { "/shop": () => ({ type: "text/html", body }) } });
};

inEngines(Object.keys(some(engines, "chromium", "firefox", "webkit")), "a page of another origin", (open) => {
  test("joins, performs what is asked for, and is the same app after a reload", async () => {
    const person = await open("#exports");
    const origin = new URL(await person.evaluate("location.href")).origin;
    const pages = await pagesThatJoin(origin);
    const hosts = `${origin}/_mock/hosts`;
    const list = async () => (await (await fetch(hosts)).json()).hosts;
    const call = { method: "POST", headers: { "content-type": "application/json" }, body: '{"identifier":"double","arguments":{"n":4}}' };
    const perform = async () => (await fetch(`${hosts}/-/perform`, call)).json();
    await person.page.goto(`${pages.origin}/shop`);
    assert.equal(await person.evaluate("window.it.joined"), true);
    assert.deepEqual(await perform(), { status: "performed", value: 8 });
    await person.page.reload();
    assert.equal(await person.evaluate("window.it.joined"), true);
    assert.deepEqual(await perform(), { status: "performed", value: 8 });
    assert.deepEqual((await list()).map(({ name, platform, origin }) => [name, platform, origin]), [["Shop", "web", pages.origin]]);
    // It may join and nothing else.
    const refused = (...it) => person.evaluate(`fetch(...it).then(({ status }) => status, () => "unreadable")`, it);
    for (const status of [await refused(hosts), await refused(`${hosts}/-/perform`, call)]) assert.match(String(status), /unreadable|403/);
    await pages.close();
  });
});
