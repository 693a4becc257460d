// How the package is loaded, and what is said when it cannot be.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { buildProgram, bundle } from "./support/bundles.mjs";
import { packageFolder, serve, strictPolicy } from "./support/server.mjs";

const old = join(packageFolder, "../../build/wasm/old", bundle);
const program = () => readFileSync(join(packageFolder, "dist/actions.wasm"));
const html = "<!doctype html><title>not found</title>";
let attempts = 0;
/** The page that takes everything from another origin. */
let fromNetwork;

const routes = {
  "/wrong-type/actions.wasm": () => ({ type: "application/octet-stream", body: program() }),
  "/no-program/actions.wasm": () => ({ type: "application/wasm", body: html }),
  "/a-page/actions.wasm": () => ({ type: "text/html", body: html }),
  "/empty/actions.wasm": () => ({ type: "application/wasm", body: Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]) }),
  "/cut/actions.wasm": () => ({ type: "application/wasm", body: program().subarray(0, 100000) }),
  "/old/actions.wasm": () => ({ type: "application/wasm", body: readFileSync(join(old, "actions.wasm")) }),
  "/broken/actions.wasm": () => ({ status: 500, body: "broken" }),
  "/charset/actions.wasm": () => ({ type: "application/wasm; charset=utf-8", body: program() }),
  "/capitals/actions.wasm": () => ({ type: "Application/WASM", body: program() }),
  "/second-time/actions.wasm": () => (attempts++ ? { type: "application/wasm", body: program() } : { status: 503, body: "" }),
  "/no-eval": () => ({ type: "text/html", body: html, headers: { "content-security-policy": "script-src 'self'" } }),
  "/no-connect": () => ({
    type: "text/html",
    body: html,
    headers: { "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" },
  }),
  "/node_modules/.vite/deps/actions.wasm": () => ({ type: "text/html", body: html }),
  "/node_modules/vite/deps/actions.wasm": () => ({ type: "text/html", body: html }),
  "/from-network": () => fromNetwork,
  "/script": () => ({
    type: "text/html",
    headers: { "content-security-policy": strictPolicy },
    body: '<!doctype html><title>loading</title><script type="module" src="/page/quick-start.js"></script>',
  }),
};

/** Loads in a page and gives what came of it. */
const load = (page, folder) =>
  page.evaluate(async (folder) => {
    const { loadActions, ActionsError } = await import("/dist/index.js");
    try {
      const actions = await loadActions(folder ? { locateFile: (name) => new URL(`${folder}/${name}`, `${location.origin}/`).href } : {});
      return { version: actions.version };
    } catch (error) {
      return { isError: error instanceof ActionsError && error instanceof Error, code: error.code, message: error.message };
    }
  }, folder);

inBrowser("loading", { routes }, (given) => {
  before(() => buildProgram(bundle, "0.0.1", old));

  test("a plain module script under a strict policy performs an action", async () => {
    const page = await given.page("/script");
    await page.waitForFunction(() => document.title !== "loading");
    assert.equal(await page.title(), "performed: Hello, Ada");
    assert.deepEqual(page.faults, []);
  });

  test("the file beside the module is found, and the version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    assert.deepEqual(await load(await given.page("/strict")), { version });
  });

  for (const [folder, code, words] of [
    ["nowhere", "fetch_failed", /nowhere\/actions\.wasm cannot be fetched: the server answered 404.*locateFile/],
    ["broken", "fetch_failed", /the server answered 500/],
    ["a-page", "wrong_type", /is served as a page \(text\/html\): actions\.wasm is not there, your bundler may have left it out/],
    ["no-program", "wrong_type", /is not a WebAssembly program/],
    ["cut", "wrong_type", /is not a WebAssembly program/],
    ["empty", "wrong_version", /does not belong to this page/],
    ["old", "wrong_version", /it is version 0\.0\.1, this page has version/],
  ]) {
    test(`${folder}: ${code}`, async () => {
      const page = await given.page();
      const { isError, code: found, message } = await load(page, folder);
      assert.equal(isError, true);
      assert.equal(found, code, message);
      assert.match(message, words);
      assert.deepEqual(page.faults, []);
    });
  }

  for (const [folder, type] of [
    ["wrong-type", "application/octet-stream"],
    ["charset", "application/wasm; charset=utf-8"],
  ]) {
    test(`${folder}: loads all the same, with one warning`, async () => {
      const page = await given.page("/strict");
      const warnings = [];
      page.on("console", (message) => warnings.push(`${message.type()}: ${message.text()}`));
      assert.ok((await load(page, folder)).version);
      assert.equal(warnings.length, 1, warnings.join("\n"));
      assert.match(warnings[0], /^warning: @rehearsal\/actions: .*actions\.wasm is served as /);
      assert.ok(warnings[0].includes(`is served as ${type}, which is slower to load. Have the server send it as application/wasm`), warnings[0]);
    });
  }

  test("a type has no letter case", async () => {
    assert.ok((await load(await given.page(), "capitals")).version);
  });

  test("a server that cannot be reached: fetch_failed", async () => {
    const gone = await serve();
    await gone.close();
    const page = await given.page();
    const { code, message } = await load(page, `${gone.origin}/dist`);
    assert.equal(code, "fetch_failed");
    assert.match(message, /is the server there\?$/);
  });

  test("a policy whose connect-src does not allow it: fetch_failed, with that hint", async () => {
    const { code, message } = await load(await given.page("/no-connect"));
    assert.equal(code, "fetch_failed");
    assert.match(message, /Does connect-src of the Content Security Policy allow it/);
  });

  // What other browsers do, as they were seen doing it.
  for (const [name, refuse] of Object.entries({
    Firefox: () => {
      for (const name of ["compileStreaming", "compile", "instantiate"]) {
        WebAssembly[name] = () => Promise.reject(new WebAssembly.CompileError(`call to WebAssembly.${name}() blocked by CSP`));
      }
    },
    WebKit: () => {
      const refusal = () => new EvalError("Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not allowed");
      WebAssembly.instantiate = () => Promise.reject(refusal());
      WebAssembly.Instance = function () {
        throw refusal();
      };
    },
    "a browser in another language": () => {
      for (const name of ["compileStreaming", "compile", "instantiate"]) {
        WebAssembly[name] = () => Promise.reject(new WebAssembly.CompileError("nicht erlaubt"));
      }
    },
  })) {
    test(`a policy without 'wasm-unsafe-eval' as ${name} refuses it: blocked_by_policy`, async () => {
      const page = await given.page();
      await page.evaluate(refuse);
      const { code, message } = await load(page);
      assert.equal(code, "blocked_by_policy", message);
      assert.match(message, /Add 'wasm-unsafe-eval' to script-src/);
    });
  }

  test("a busy browser that cannot compile while the program arrives compiles it afterwards", async () => {
    for (const [folder, expected] of [
      [undefined, undefined],
      ["cut", "wrong_type"],
    ]) {
      const page = await given.page();
      await page.evaluate(() => {
        WebAssembly.compileStreaming = () => Promise.reject(new Error("out of memory")); // as Firefox does
      });
      const { code, message } = await load(page, folder);
      assert.equal(code, expected, message);
    }
  });

  test("a module that Vite's development server has moved says what to write", async () => {
    const page = await given.page();
    const hint = /optimizeDeps: \{ exclude: \["@rehearsal\/actions"\] \}/;
    for (const folder of ["node_modules/.vite/deps", "gone/.vite/deps", "node_modules/vite/deps"]) {
      assert.match((await load(page, folder)).message, hint);
    }
  });

  test("a policy without 'wasm-unsafe-eval': blocked_by_policy", async () => {
    const { code, message } = await load(await given.page("/no-eval"));
    assert.equal(code, "blocked_by_policy", message);
    assert.equal(message, "the page's Content Security Policy does not allow WebAssembly. Add 'wasm-unsafe-eval' to script-src.");
  });

  test("the option program takes the program in every form", async () => {
    const page = await given.page("/strict");
    const seen = await page.evaluate(async () => {
      const { createActions } = await import("/dist/index.js");
      const url = "/dist/actions.wasm";
      const bytes = async () => (await fetch(url)).arrayBuffer();
      const forms = {
        module: await WebAssembly.compileStreaming(fetch(url)),
        bytes: await bytes(),
        view: new Uint8Array(await bytes()),
        answer: await fetch(url),
        promise: fetch(url),
        "no program": new Uint8Array(8),
        "no file": fetch("/nowhere/actions.wasm"),
        rejection: Promise.reject(new Error("offline")),
      };
      const results = {};
      for (const [name, program] of Object.entries(forms)) {
        const actions = createActions({ program });
        actions.register("a", () => "performed");
        const { value, cause } = await actions.perform("a");
        results[name] = value ?? `${cause.code}: ${cause.message}`;
        actions.dispose();
      }
      return results;
    });
    for (const name of ["module", "bytes", "view", "answer", "promise"]) assert.equal(seen[name], "performed", name);
    assert.match(seen["no program"], /^wrong_type: the option program is not a WebAssembly program/);
    assert.match(seen["no file"], /^fetch_failed: the option program cannot be fetched: the server answered 404/);
    assert.equal(seen.rejection, "fetch_failed: the promise of the option program was rejected: offline");
  });

  test("an address never fills a screen in a message", async () => {
    const page = await given.page("/no-connect");
    const { message } = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      return loadActions({ locateFile: () => `data:application/wasm;base64,${"A".repeat(100_000)}` }).catch(({ message }) => ({ message }));
    });
    assert.match(message, /^the data: URL cannot be fetched: .{1,300}$/);
    const { code, message: told } = await load(page, "x".repeat(1000));
    assert.ok(code === "fetch_failed" && told.length < 400, told);
  });

  test("a browser without WebAssembly: unsupported_browser", async () => {
    const page = await given.page();
    await page.evaluate(() => delete globalThis.WebAssembly);
    assert.equal((await load(page)).code, "unsupported_browser");
  });

  test("loading is done once, and again when it has failed", async () => {
    const page = await given.page();
    const once = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      const options = { locateFile: (name) => `/second-time/${name}` };
      const failed = await loadActions(options).catch((error) => error.code);
      const [first, second] = [loadActions(options), loadActions()];
      return { failed, same: first === second, registry: (await first) === (await second) };
    });
    assert.deepEqual(once, { failed: "fetch_failed", same: true, registry: true });
  });

  test("after dispose, loading gives a live registry with its own options, and requests nothing", async () => {
    const page = await given.page();
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    const seen = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      const first = await loadActions();
      first.register("a", () => 1);
      const own = first.create();
      own.register("own", () => 2);
      first.dispose();
      const written = [];
      const second = await loadActions({ host: { clipboard: { write: (text) => void written.push(text) } } });
      const before = await second.perform("a");
      second.register("a", () => 3);
      await second.perform("service.clipboard", { t: "x" });
      first.dispose();
      const results = [await first.perform("a"), before, await second.perform("a"), await own.perform("own")];
      return { same: first === second, written, results: results.map((r) => r.value ?? r.message ?? r.status) };
    });
    assert.deepEqual({ ...seen, results: seen.results.length }, { same: false, written: ["x"], results: 4 });
    assert.equal(seen.results[0], "the registry was disposed of");
    assert.match(seen.results[1], /a/);
    assert.deepEqual(seen.results.slice(2), [3, 2]);
    assert.equal(requests.filter((url) => url.endsWith(".wasm")).length, 1);
  });

  test("an effect that is mounted twice, as React's StrictMode does, ends with a live registry", async () => {
    const page = await given.page();
    const seen = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      /** The effect of a component; it returns its cleanup. */
      const effect = (name, log) => {
        let actions;
        let registration;
        let gone = false;
        const done = (async () => {
          actions = await loadActions();
          if (gone) {
            actions.dispose();
            return;
          }
          registration = actions.register(name, () => name);
          log.push((await actions.perform(name)).value);
        })();
        return { done, cleanup: () => ((gone = true), registration?.unregister(), actions?.dispose()) };
      };
      const log = [];
      const round = async (name) => {
        const first = effect(name, log);
        first.cleanup();
        const second = effect(name, log);
        await Promise.all([first.done, second.done]);
        return second;
      };
      const one = await round("one"); // the first root, while the program loads
      const two = await round("two"); // the second, when it is there
      const actions = await loadActions();
      const both = actions.list();
      one.cleanup();
      const left = [actions.list(), (await actions.perform("two")).value];
      const next = await round("one"); // hot reload: the new one before the old one goes
      two.cleanup();
      left.push(actions.list());
      next.cleanup();
      actions.dispose();
      const after = (await actions.perform("one")).message;
      const last = await round("three");
      last.cleanup();
      return { log, both, left, after };
    });
    assert.deepEqual(seen, {
      log: ["one", "two", "one", "three"],
      both: ["one", "two"],
      left: [["two"], "two", ["one"]],
      after: "the registry was disposed of",
    });
    assert.deepEqual(page.faults, []);
  });

  test("two copies of the package live beside each other", async () => {
    const page = await given.page();
    const seen = await page.evaluate(async () => {
      const [first, second] = await Promise.all([import("/dist/index.js"), import("/dist/index.js?copy")]);
      const [a, b] = await Promise.all([first.loadActions(), second.loadActions()]);
      a.register("x", () => "a");
      b.register("x", () => "b");
      a.dispose();
      const c = await first.loadActions();
      return [first === second, (await b.perform("x")).value, (await c.perform("x")).status];
    });
    assert.deepEqual(seen, [false, "b", "not_found"]);
  });

  test("a page takes everything from another origin, with integrity, under a strict policy", async () => {
    const network = await serve({ cors: true });
    try {
      const dist = `${network.origin}/dist`;
      const hashes = JSON.parse(readFileSync(join(packageFolder, "dist/integrity.json"), "utf8"));
      const map = JSON.stringify({ imports: { "@rehearsal/actions": `${dist}/index.js` }, integrity: { [`${dist}/index.js`]: hashes["index.js"] } });
      const policy = `default-src 'none'; script-src 'nonce-n' ${network.origin} 'wasm-unsafe-eval'; connect-src ${network.origin}`;
      const script = (integrity) => `<script nonce="n" type="module">
        import { createActions } from "@rehearsal/actions";
        const actions = createActions({ integrity: "${integrity}" });
        actions.register("a", () => "performed");
        const { value, cause } = await actions.perform("a");
        document.title = value ?? cause.code + ": " + cause.message;
      </script>`;
      const page = await given.page();
      for (const [integrity, title] of [
        [hashes["actions.wasm"], /^performed$/],
        [hashes["index.js"], /^fetch_failed: .*is it the file that the option integrity is of/],
      ]) {
        const body = `<!doctype html><title>loading</title><script nonce="n" type="importmap">${map}</script>${script(integrity)}`;
        fromNetwork = { type: "text/html", headers: { "content-security-policy": policy }, body };
        await page.goto(`${given.origin}/from-network`);
        await page.waitForFunction(() => document.title !== "loading");
        assert.match(await page.title(), title);
      }
    } finally {
      await network.close();
    }
  });

  test("no global is added, and none is changed", async () => {
    const page = await given.page();
    const { added, changed } = await page.evaluate(async () => {
      const look = () => new Map(Reflect.ownKeys(window).map((key) => [key, Object.getOwnPropertyDescriptor(window, key)]));
      const before = look();
      const { loadActions, browserHost } = await import("/dist/index.js");
      const actions = await loadActions({ host: browserHost() });
      actions.register("a", () => 1);
      await actions.perform("A");
      await actions.perform("service.group", { actions: [["a", {}]] });
      await actions.perform("service.clipboard", { t: "x" });
      const after = look();
      return {
        added: [...after.keys()].filter((key) => !before.has(key)).map(String),
        changed: [...before].filter(([key, { value }]) => "value" in (after.get(key) ?? {}) && !Object.is(after.get(key).value, value)).map(([key]) => String(key)),
      };
    });
    assert.deepEqual(added, []);
    assert.deepEqual(changed, []);
  });

  test("a page's own fs, process, Go and path are not touched, nor used", async () => {
    const page = await given.page();
    const same = await page.evaluate(async () => {
      const mine = { fs: {}, process: {}, path: {}, Go: class {}, global: {} };
      Object.assign(window, mine);
      const { loadActions } = await import("/dist/index.js");
      await loadActions();
      return Object.entries(mine).every(([name, value]) => window[name] === value && Object.keys(value).length === 0);
    });
    assert.equal(same, true);
  });

  test("nothing but the program is requested, and only once", async () => {
    const page = await given.page();
    const requests = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await load(page);
    await load(page);
    assert.deepEqual(requests, ["/dist/index.js", "/dist/actions.wasm"]);
  });
});
