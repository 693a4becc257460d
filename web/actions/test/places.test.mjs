// Where there is no browser: Node, and bundles for servers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { packageFolder, serve } from "./support/server.mjs";

describe("Node", () => {
  const folder = mkdtempSync(join(tmpdir(), "places-"));
  const module = pathToFileURL(join(packageFolder, "dist/index.js")).href;
  let server;
  before(async () => (server = await serve()));
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const performs = async ({ createActions, loadActions, browserHost }) => {
    const actions = await loadActions();
    actions.register("double", async ({ arguments: { n } }) => n * 2);
    assert.deepEqual(await actions.perform("Double", { n: 2 }), { status: "performed", value: 4 });
    const { status, message } = await actions.perform("service.clipboard", { t: "x" });
    assert.equal(status, "unsupported");
    assert.match(message, /needs the capability "clipboard", which this host does not have/);
    assert.deepEqual(Object.keys(browserHost()), ["needsGesture"]);
    assert.equal(createActions().capability("service.clipboard").state, "unsupported");
    actions.dispose();
  };

  test("an imported module performs", async () => performs(await import("@rehearsal/actions")));

  test("a required module performs", async () => performs(createRequire(import.meta.url)("@rehearsal/actions")));

  test("importing loads nothing, and a program that has loaded ends by itself", () => {
    const code = (more) => `import(${JSON.stringify(module)}).then(async ({ createActions, version }) => {
      const actions = createActions();
      actions.register("a", () => version);
      process.stdout.write([${more}].join());
    })`;
    const run = (more) => execFileSync(process.execPath, ["-e", code(more)], { encoding: "utf8", timeout: 60_000 });
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    assert.equal(run('actions.list(), actions.capability("a").state, actions.loaded'), "a,available,false");
    assert.equal(run('(await actions.perform("a")).value'), version);
  });

  test("a listener that throws is told in the console, and ends nothing", async (t) => {
    const { loadActions } = await import("@rehearsal/actions");
    const told = t.mock.method(console, "error", () => {});
    const actions = await loadActions();
    actions.register("a", () => 1);
    actions.on("performing", () => {
      throw new Error("a listener's own fault");
    });
    assert.equal((await actions.perform("a")).value, 1);
    assert.match(String(told.mock.calls[0].arguments[0]), /a listener's own fault/);
    actions.dispose();
  });

  test("the program may be elsewhere: another file, a folder of the working directory, or a server", async () => {
    const { createActions } = await import("@rehearsal/actions");
    copyFileSync(join(packageFolder, "dist/actions.wasm"), join(folder, "moved.wasm"));
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      for (const place of [pathToFileURL(join(folder, "moved.wasm")), "moved.wasm", `${server.origin}/dist/actions.wasm`]) {
        const actions = createActions({ locateFile: () => place });
        await actions.load();
        assert.equal((await actions.perform("nobody")).status, "not_found");
      }
    } finally {
      process.chdir(cwd);
    }
  });

  for (const [about, content, code, words] of [
    ["is not there", undefined, "fetch_failed", /cannot be read: ENOENT.*Put actions\.wasm there, or say where it is with the option locateFile/],
    ["is something else", "<!doctype html>", "wrong_type", /is not a WebAssembly program/],
    ["is of another package", Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), "wrong_version", /does not belong to this page/],
  ]) {
    test(`a program that ${about}: ${code}`, async () => {
      const { ActionsError, createActions } = await import("@rehearsal/actions");
      const place = join(mkdtempSync(join(folder, "wrong-")), "actions.wasm");
      if (content !== undefined) writeFileSync(place, content);
      const actions = createActions({ locateFile: () => pathToFileURL(place) });
      await assert.rejects(actions.load(), (error) => {
        assert.ok(error instanceof ActionsError);
        assert.match(error.message, words);
        return error.code === code;
      });
    });
  }

  test("a bundle for a server has the program beside it, or says that it has not", async () => {
    const { build } = await import("esbuild");
    const output = join(folder, "bundle");
    mkdirSync(output);
    const stdin = { contents: 'import { createActions } from "@rehearsal/actions"; export const actions = createActions();', resolveDir: packageFolder };
    await build({ stdin, bundle: true, format: "esm", platform: "node", outfile: join(output, "server.mjs"), logLevel: "error" });
    const { actions } = await import(pathToFileURL(join(output, "server.mjs")).href);
    await assert.rejects(actions.load(), { code: "fetch_failed", message: /Put actions\.wasm there/ });
    copyFileSync(join(packageFolder, "dist/actions.wasm"), join(output, "actions.wasm"));
    await actions.load();
    await build({ stdin, bundle: true, format: "cjs", platform: "node", outfile: join(output, "server.cjs"), logLevel: "silent" });
    const required = createRequire(import.meta.url)(join(output, "server.cjs"));
    await assert.rejects(required.actions.load(), { code: "fetch_failed", message: /^this bundle does not know where actions\.wasm is.*locateFile/ });
  });
});
