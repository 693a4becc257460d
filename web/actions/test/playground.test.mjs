// Apps that join the playground: what they tell it and do for it, how they find it, and that nothing of the app waits for it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createActions } from "@rehearsal/actions";
import { joinPlayground } from "@rehearsal/actions/playground";
import { inBrowser } from "./support/browser.mjs";
import { startHub, until } from "./support/hub.mjs";
import { packageFolder } from "./support/server.mjs";

const hubs = [];
const joined = [];
after(() => {
  joined.forEach((one) => one.leave());
  return Promise.all(hubs.map((hub) => hub.stop()));
});

async function hubOf(options) {
  const hub = await startHub(options);
  hubs.push(hub);
  return hub;
}

/** Joins, and keeps what is said of it. */
function joining(actions, options) {
  const said = [];
  const one = joinPlayground(actions, { instance: `test ${joined.length}`, log: (line) => said.push(line), ...options });
  joined.push(one);
  return { ...one, leave: () => one.leave(), joined: one.joined, said };
}

const of = (hub, type) => hub.messages.filter((message) => message.type === type);

describe("an app of Node that has joined", async () => {
  test("says what it has, performs what it is asked for, and tells what it performs by itself", async () => {
    const hub = await hubOf();
    const actions = createActions();
    actions.register("Open-Cart", ({ arguments: args, source }) => [args.n, source.kind]);
    const schema = { type: "object", properties: { n: { type: "integer" } } };
    const about = { title: "Open the cart", sample: { n: 7 }, schema };
    const { leave, ...it } = joining(actions, { url: hub.url, instance: "one", name: "Shop", version: "1.4", code: "ABCDEF", describe: { "Open-Cart": about } });
    assert.equal(await it.joined, true);
    assert.deepEqual(it.said, [`playground: joined ${hub.url}`]);
    const app = { protocol: 1, instance: "one", name: "Shop", platform: "node", version: "1.4", code: "ABCDEF", held: 0 };
    assert.deepEqual(hub.hellos, [{ ...app, capabilities: {}, permissions: {}, actions: [{ identifier: "Open-Cart", ...about }] }]);

    await until(() => hub.streams.length === 1);
    hub.send("call", { call: "1", perform: { identifier: "open-cart", arguments: { n: 1 } }, deadline_ms: 10_000 });
    await until(() => of(hub, "result").length === 1);
    assert.deepEqual(of(hub, "result"), [{ type: "result", call: "1", result: { status: "performed", value: [1, "manual"] } }]);
    assert.equal((await until(() => of(hub, "capabilities")[0])).capabilities["service.deeplink"], "unsupported");

    const source = { kind: "push", payload: { campaign: "c" } };
    hub.send("call", { call: "2", trigger: { identifier: "open-cart", arguments: { n: 2 }, source }, deadline_ms: 10_000 });
    assert.deepEqual(await until(() => of(hub, "held").find(({ call }) => call)), { type: "held", count: 1, call: "2" });
    assert.deepEqual(of(hub, "performed"), []);
    actions.start();
    const value = [2, "push"];
    await until(() => of(hub, "performed").length === 1);
    await actions.perform("OPEN-CART", { n: 3 });
    await until(() => of(hub, "performed").length === 2);
    assert.deepEqual(of(hub, "performed"), [
      { type: "performed", identifier: "open-cart", arguments: { n: 2 }, source, result: { status: "performed", value } },
      { type: "performed", identifier: "OPEN-CART", arguments: { n: 3 }, source: { kind: "manual" }, result: { status: "performed", value: [3, "manual"] } },
    ]);
    hub.send("call", { call: "3", trigger: { identifier: "wait", arguments: {}, source }, deadline_ms: 50 });
    actions.register("wait", () => new Promise(() => {}));
    assert.match((await until(() => of(hub, "result")[1])).result.status, /not_found|canceled/);

    actions.unregister("open-cart");
    hub.send("ping", {});
    await until(() => of(hub, "unregistered").length === 1 && of(hub, "alive").length === 1);
    assert.deepEqual([of(hub, "registered"), of(hub, "unregistered")], [[{ type: "registered", action: { identifier: "wait" } }], [{ type: "unregistered", identifier: "Open-Cart" }]]);
    leave();
    await until(() => of(hub, "leave").length === 1);
  });

  test("finds a server below a path", async () => {
    const hub = await hubOf({ below: "/mock" });
    const it = joining(createActions(), { url: `${hub.url}/` });
    assert.equal(await it.joined, true);
    assert.deepEqual(it.said, [`playground: joined ${hub.url}`]);
    await until(() => hub.streams.length === 1);
  });

  test("shows what JSON has no word for, within a budget", async () => {
    const hub = await hubOf();
    const actions = createActions();
    await joining(actions, { url: hub.url }).joined;
    const circle = { name: "circle" };
    circle.itself = circle;
    const deep = (levels) => (levels ? { d: deep(levels - 1) } : 1);
    const cases = [
      [circle, { name: "circle", itself: "[circular]" }],
      [[() => {}, function named() {}, Symbol("s")], ["[function without a name]", "[function named]", "[Symbol(s)]"]],
      [[new Uint8Array(3), new ArrayBuffer(4), new Map([[1, 2]]), new Set()], ["[Uint8Array of 3 bytes]", "[ArrayBuffer of 4 bytes]", "[Map of 1]", "[Set of 0]"]],
      [[2n ** 70n, Infinity, undefined, -0], ["1180591620717411303424n", "Infinity", null, 0]],
      [[new Date(0), new Date(NaN), new URL("https://example.com/"), new TypeError("no")], ["1970-01-01T00:00:00.000Z", "[no date]", "https://example.com/", "TypeError: no"]],
      [{ get price() { throw new Error("is not to be called"); }, none: undefined, toJSON: 1 }, { price: "[getter]", toJSON: 1 }],
      [new EventTarget(), "[EventTarget]"],
    ];
    let n = 0;
    actions.register("give", () => cases[n][0]);
    for (; n < cases.length; n++) {
      const { value } = await actions.perform("give");
      assert.equal(value, cases[n][0]);
      await until(() => of(hub, "performed").length > n);
      assert.deepEqual(of(hub, "performed")[n].result.value, cases[n][1]);
    }
    actions.register("big", () => 2n ** 63n);
    await actions.perform("big");
    await until(() => hub.bodies.some((body) => body.includes('"value":9223372036854775808')));
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const value of [deep(20), "ü\u0001".repeat(1e6), Array(1e6).fill("item"), Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`n${i}`, i])), revoked.proxy]) {
      hub.messages.length = hub.bodies.length = 0;
      actions.register("much", () => [value]);
      assert.equal((await actions.perform("much")).value[0], value);
      await until(() => of(hub, "performed").length === 1 && of(hub, "omitted").length === 1);
      assert.ok(of(hub, "omitted")[0].count > 0);
      for (const message of hub.messages) assert.ok(Buffer.byteLength(JSON.stringify(message)) < 65_536);
    }
  });

  test("performs at once and the same while the playground is slow, full or gone", async () => {
    const hub = await hubOf();
    hub.slow = new Promise((resolve) => (hub.go = resolve));
    const actions = createActions();
    actions.register("count", ({ arguments: { n } }) => ({ n, text: "€".repeat(5000) }));
    const { leave, ...it } = joining(actions, { url: hub.url });
    await it.joined;
    const values = [];
    for (let n = 0; n < 500; n++) values.push((await actions.perform("count", { n })).value.n);
    assert.deepEqual(values, Array.from({ length: 500 }, (_, n) => n));
    hub.go();
    const omitted = () => of(hub, "omitted").reduce((sum, { count }) => sum + count, 0);
    await until(() => of(hub, "performed").length + omitted() === 500);
    assert.ok(omitted() > 200);
    for (const body of hub.bodies) assert.ok(Buffer.byteLength(body) <= 512 << 10, `a post of ${body.length} characters`);
    assert.equal(of(hub, "omitted")[0].reason, "the playground was too slow");
    await hub.stop();
    assert.equal((await actions.perform("count", { n: 1 })).value.n, 1);
    leave();
  });

  test("stays one host: joined twice, after the server forgot it, and until another takes its place", async () => {
    const hub = await hubOf();
    const instance = "the same";
    const actions = createActions();
    const first = joining(actions, { url: hub.url, instance });
    await first.joined;
    const second = joining(actions, { url: hub.url, instance });
    await second.joined;
    await until(() => hub.streams.length === 2 && hub.streams[0].destroyed);
    const third = joining(actions, { url: hub.url, instance });
    third.leave(); // as React's strict mode does
    assert.equal(await third.joined, false);
    await actions.perform("nobody");
    await until(() => of(hub, "performed").length === 1);

    const forgotten = hub.streams[1];
    hub.hellos.push({}); // no token is known any more
    forgotten.end();
    await until(() => hub.streams.length === 3);
    assert.equal(hub.hellos.at(-1).instance, instance);
    hub.send("replaced", {});
    await until(() => second.said.length > 1);
    assert.match(second.said.at(-1), /left: the same app has joined again/);
    await actions.perform("nobody");
    assert.equal(of(hub, "performed").length, 1);

    // Replaced by another program while nothing was heard of the server.
    const told = joining(actions, { url: hub.url });
    await until(() => hub.streams.length === 4);
    hub.answers = 409;
    await actions.perform("nobody");
    const heard = joining(actions, { url: hub.url });
    for (const { said } of [told, heard]) {
      await until(() => said.length > 1);
      assert.deepEqual(said.slice(1), ["playground: left: the same app has joined again, or it was removed"]);
    }
    assert.equal(hub.hellos.length, 6);
  });
});

describe("who cannot join is told why, within three seconds", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address();
  gone.close();
  const strict = await startHub({ refuse: ({ code }) => code !== "ABCDEF" && [401, "the code is another one: see *Connect an app*"] });
  after(() => (silent.close(), strict.stop()));
  for (const [url, why] of [
    ["", /^playground: not joined: no url is given$/],
    [undefined, /no url is given/],
    ["localhost", /the url localhost cannot be read; give one such as http:\/\/localhost:8080/],
    ["http://127.0.0.1:1", /http:\/\/127\.0\.0\.1:1: bad port\. Give the address that the page shows/],
    [`http://127.0.0.1:${port}`, /http:\/\/127\.0\.0\.1:\d+: nothing listens there\. Start `mockserver serve`/],
    [`http://localhost:${port}`, /\n {2}http:\/\/localhost:\d+: nothing listens there.*\n {2}http:\/\/127\.0\.0\.1:\d+: nothing listens/],
    ["http://nowhere.invalid", /no machine has this name here/],
    [`http://127.0.0.1:${silent.address().port}`, /does not answer in time\. Is it the address in this network/],
    [strict.url, /: the code is another one: see \*Connect an app\*/],
  ]) {
    test(String(url), async () => {
      const begun = performance.now();
      const { joined, said, leave } = joining(createActions(), { url });
      assert.equal(await joined, false);
      leave();
      assert.ok(performance.now() - begun < 3000, `${performance.now() - begun} ms`);
      assert.equal(said.length, 1);
      assert.match(said[0], why);
    });
  }

  test("a code that is another one: it does not knock again", async () => {
    let knocks = 0;
    const hub = await hubOf({ refuse: () => (knocks++, [401, "the code is another one"]) });
    const it = joining(createActions(), { url: hub.url.replace("localhost", "127.0.0.1"), code: "BCDEFG" });
    assert.equal(await it.joined, false);
    await new Promise((resolve) => setTimeout(resolve, 700)); // the first pause has 500 ms
    assert.equal(knocks, 1);
    assert.equal(it.said.length, 1);
    assert.match(it.said[0], /^playground: not joined: start again with the code that the page shows now\.\n.*: the code is another one$/);
  });

  test("a production build joins when it is told to, and leaves at once otherwise", () => {
    const code = (options) => `
      import { createActions } from "@rehearsal/actions";
      import { joinPlayground } from "@rehearsal/actions/playground";
      joinPlayground(createActions(), { url: "http://127.0.0.1:1", ${options} }).joined.then(() => process.exit());`;
    const run = (options) => execFileSync(process.execPath, ["--input-type=module", "-e", code(options)], { cwd: packageFolder, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } });
    assert.equal(run(""), "playground: not joined: this is a production build, which joins with allowProduction: true only\n");
    assert.match(run("allowProduction: true"), /not joined, and tries again/);
  });
});

test("what does not import it has nothing of it", () => {
  for (const name of readdirSync(join(packageFolder, "dist"), { recursive: true }).filter((name) => /\.c?js$/.test(name) && !/^playground\./.test(name))) {
    assert.doesNotMatch(readFileSync(join(packageFolder, "dist", name), "utf8"), /_mock|[Pp]layground/, name);
  }
});

let shop;
const page = (policy) => () => ({
  type: "text/html",
  headers: policy ? { "content-security-policy": policy } : {},
  body: `<!doctype html><title>Shop</title><script type="module">
    import { createActions } from "/dist/index.js";
    import { joinPlayground } from "/dist/playground.js";
    const actions = createActions();
    actions.register("double", ({ arguments: { n } }) => n * 2);
    window.said = [];
    window.it = joinPlayground(actions, { url: "${shop.url}", log: (line) => said.push(line) });
  </script>`,
});
const worker = () => ({
  type: "text/javascript",
  body: `
    import { createActions } from "/dist/index.js";
    import { joinPlayground } from "/dist/playground.js";
    const actions = createActions();
    actions.register("double", ({ arguments: { n } }) => n * 2);
    joinPlayground(actions, { url: "${shop.url}" });`,
});
const routes = {
  "/shop": page(),
  "/strict-shop": page("default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'"),
  "/shop-worker.js": worker,
  "/shops": () => ({ type: "text/html", body: `<!doctype html>${'<iframe src="/shop"></iframe>'.repeat(2)}<iframe src="/shop" sandbox="allow-scripts"></iframe>` }),
};

inBrowser("an app in a browser", { routes, cors: true }, (given) => {
  before(async () => (shop = await hubOf()));
  const double = async (call) => {
    shop.send("call", { call, perform: { identifier: "double", arguments: { n: 4 } }, deadline_ms: 10_000 });
    return until(() => of(shop, "result").find((result) => result.call === call));
  };

  test("joins from another origin, and is the same host after it was loaded again", async () => {
    const shown = await given.page("/shop");
    assert.equal(await shown.evaluate(() => window.it.joined), true);
    await until(() => shop.streams.length === 1);
    assert.deepEqual((await double("1")).result, { status: "performed", value: 8 });
    await shown.reload();
    await until(() => shop.streams.length === 2);
    const [before, again] = shop.hellos;
    assert.deepEqual([again.instance, again.name, again.platform], [before.instance, "Shop", "web"]);
    assert.match(before.permissions.notifications, /not_determined|denied/);
    assert.ok(before.instance.length > 10);
    assert.deepEqual((await double("2")).result, { status: "performed", value: 8 });
    await shown.evaluate(() => window.it.leave());
    await until(() => of(shop, "leave").length === 1);
    assert.deepEqual(shown.faults, []);
  });

  test("joins from a service worker", async () => {
    const shown = await given.page();
    const streams = shop.streams.length;
    await shown.evaluate(() => navigator.serviceWorker.register("/shop-worker.js", { type: "module" }).then(() => undefined));
    await until(() => shop.streams.length > streams);
    assert.deepEqual((await double("3")).result, { status: "performed", value: 8 });
    await shown.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))).then(() => undefined));
  });

  test("is told that its policy forbids it", async () => {
    const shown = await given.page("/strict-shop");
    assert.equal(await shown.evaluate(() => window.it.joined), false);
    const [said] = await shown.evaluate(() => window.said);
    assert.match(said, /the Content-Security-Policy of this page forbids it\. Add http:\/\/localhost:\d+ to its connect-src/);
  });

  test("is another host in another frame, as in another tab, and in one that may keep nothing", async () => {
    const earlier = shop.hellos.length;
    const instances = () => [...new Set(shop.hellos.slice(earlier).map(({ instance }) => instance))].sort();
    await given.page("/shops");
    await until(() => instances().length === 3);
    const [first, second, kept] = instances().sort((a, b) => a.startsWith("http") - b.startsWith("http"));
    assert.equal(second, `${first} 2`);
    assert.ok(kept.startsWith(`${given.origin}/shop `));
  });
});
