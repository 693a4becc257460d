// The package in an application: type-checked, bundled by Vite, esbuild, Rollup and webpack, and run under a strict policy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, transformSync } from "esbuild";
import { makeApplication } from "./support/application.mjs";
import { inBrowser } from "./support/browser.mjs";
import { nightly } from "./support/level.mjs";
import { packageFolder, strictPolicy } from "./support/server.mjs";

const source = join(packageFolder, "test/bundled");
const output = join(packageFolder, "../../build/bundled");

const page = (folder) => () => ({
  type: "text/html",
  body: readFileSync(join(output, folder, "index.html")),
  headers: { "content-security-policy": strictPolicy },
});

const built = ["vite", "esbuild", "esbuild-named", "rollup", "webpack", "pushed"];
const options = {
  folders: Object.fromEntries(built.map((name) => [name, join(output, name)])),
  routes: Object.fromEntries(built.map((name) => [`/${name}/`, page(name)])),
};

test("an application is type-checked against the package's types", () => {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript"))), "tsc.js");
  for (const project of ["tsconfig.json", "tsconfig.augmented.json", "tsconfig.worker.json"]) {
    execFileSync(process.execPath, [compiler, "-p", join(source, project)], { stdio: "inherit" });
  }
});

test("tools can read the package's own package.json", () => {
  const file = fileURLToPath(import.meta.resolve("@rehearsal/actions/package.json"));
  assert.equal(JSON.parse(readFileSync(file, "utf8")).name, "@rehearsal/actions");
});

test("what is published is complete, and nothing else", () => {
  const files = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: packageFolder, encoding: "utf8" }));
  const names = (Array.isArray(files) ? files[0] : Object.values(files)[0]).files.map(({ path }) => path).sort();
  const types = ["arguments", "browser-host", "builtins", "create", "declared", "errors", "index", "load", "playground", "react", "service-worker", "testing", "types", "vue", "actions.wasm"].flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.d.cts`]);
  const standard = ["actions.wasm", "actions.wasm.d.cts", "actions.wasm.d.ts", "index.cjs", "index.d.cts", "index.d.ts", "index.js", "index.js.map"].map((name) => `dist/standard/${name}`);
  assert.deepEqual(names, ["LICENSE", "README.md", "THIRD_PARTY_NOTICES", "dist/actions.wasm", ...types, "dist/index.cjs", "dist/index.js", "dist/index.js.map", "dist/integrity.json", ...standard, ...["playground", "react", "service-worker", "testing", "vue"].flatMap((name) => [`dist/${name}.cjs`, `dist/${name}.js`]), "package.json"].sort());
});

inBrowser("bundlers", options, (given) => {
  const { folder: application, remove } = makeApplication();
  const installed = join(application, "node_modules/@rehearsal/actions");

  before(() => {
    for (const name of ["index.html", "main.ts"]) {
      copyFileSync(join(source, name), join(application, name));
    }
  });
  after(remove);

  const runs = (path) => given.everywhere(path, performs);

  async function performs(page) {
    await page.waitForFunction(() => document.title !== "loading");
    assert.equal(await page.title(), "performed Say-Hello Ada (manual) false /t true");
    assert.deepEqual(page.faults, []);
  }

  test("what is installed is a copy, which development servers may serve", () => {
    assert.equal(lstatSync(installed).isSymbolicLink(), false);
    assert.ok(existsSync(join(installed, "dist/actions.wasm")));
  });

  for (const [about, optimizeDeps] of [
    ["that it optimizes", {}],
    ["that it does not optimize, as older ones need it", { exclude: ["@rehearsal/actions"] }],
  ]) {
    test(`Vite's development server serves the program of the package ${about}`, async () => {
      const { createServer } = await import("vite");
      const server = await createServer({ root: application, logLevel: "error", configFile: false, optimizeDeps, server: { host: "127.0.0.1", port: 0 } });
      try {
        await server.listen();
        const page = await given.page("/");
        page.faults.length = 0;
        await page.goto(`http://localhost:${server.httpServer.address().port}/`);
        await performs(page);
      } finally {
        await server.close();
      }
    });
  }

  test("hot reload replaces a registry that a module makes, without loading the page again", async () => {
    const { createServer } = await import("vite");
    const module = (text) => `import { createActions } from "@rehearsal/actions";
      const actions = createActions();
      actions.register("say", () => "${text}");
      (window.made ??= []).push(actions);
      import.meta.hot.accept();
      import.meta.hot.dispose(() => actions.dispose());`;
    const root = join(application, "hot");
    mkdirSync(root);
    writeFileSync(join(root, "index.html"), '<!doctype html><title>hot</title><script type="module" src="./hot.js"></script>');
    writeFileSync(join(root, "hot.js"), module("first"));
    const server = await createServer({ root, logLevel: "error", configFile: false, server: { host: "127.0.0.1", port: 0, fs: { allow: [application] } } });
    try {
      await server.listen();
      const page = await given.page("/");
      const said = () => page.evaluate(() => Promise.all(window.made.map((actions) => actions.perform("say").then(({ value, message }) => value ?? message))));
      await page.goto(`http://localhost:${server.httpServer.address().port}/`);
      await page.waitForFunction(() => window.made?.length === 1);
      assert.deepEqual(await said(), ["first"]);
      writeFileSync(join(root, "hot.js"), module("second"));
      await page.waitForFunction(() => window.made?.length === 2);
      assert.deepEqual(await said(), ["the registry was disposed of", "second"]);
      assert.deepEqual(page.faults, []);
    } finally {
      await server.close();
    }
  });

  test("Vite's build finds the program by itself", async () => {
    const { build } = await import("vite");
    await build({ root: application, base: "/vite/", logLevel: "error", configFile: false, build: { outDir: join(output, "vite"), emptyOutDir: true } });
    assert.ok(readdirSync(join(output, "vite/assets")).some((name) => name.endsWith(".wasm")));
    await runs("/vite/");
  });

  /** Makes the folder of a build, with its page. */
  function folderOf(name) {
    const folder = join(output, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.html"), readFileSync(join(source, "index.html"), "utf8").replace("./main.ts", "./main.js"));
    return folder;
  }

  /** Writes the application without types, and gives its place; `named` is one that names the program, as README.md says. */
  function written(named) {
    const file = join(application, named ? "named.js" : "main.js");
    const { code } = transformSync(readFileSync(join(source, "main.ts"), "utf8"), { loader: "ts" });
    const place = "locateFile: () => new URL(program, import.meta.url)";
    const naming = `import program from "@rehearsal/actions/actions.wasm";\n${code.replace("loadActions({", `loadActions({ ${place},`)}`;
    writeFileSync(file, named ? naming : code);
    return file;
  }

  test("esbuild needs the program beside the bundle", async () => {
    const folder = folderOf("esbuild");
    await build({ entryPoints: [written()], bundle: true, format: "esm", minify: true, outfile: join(folder, "main.js"), logLevel: "error" });
    copyFileSync(fileURLToPath(import.meta.resolve("@rehearsal/actions/actions.wasm")), join(folder, "actions.wasm"));
    await runs("/esbuild/");
  });

  test("esbuild emits a program that is named, and does not build without its loader", async () => {
    const folder = folderOf("esbuild-named");
    const settings = { entryPoints: [written("named")], bundle: true, format: "esm", minify: true, outfile: join(folder, "main.js"), logLevel: "silent" };
    await assert.rejects(build(settings), /No loader is configured for "\.wasm" files/);
    await build({ ...settings, loader: { ".wasm": "file" } });
    await runs("/esbuild-named/");
  });

  test("a service worker in a bundle that is no module performs what is pushed, and hands over to the page", async () => {
    const folder = folderOf("pushed");
    const settings = { bundle: true, minify: true, loader: { ".wasm": "file" }, outdir: folder, logLevel: "error" };
    for (const [name, entry, format] of [["pushed", "main", "esm"], ["service-worker", "service-worker", "iife"]]) {
      copyFileSync(join(source, `${name}.ts`), join(application, `${name}.ts`));
      await build({ ...settings, entryPoints: { [entry]: join(application, `${name}.ts`) }, format });
    }
    await given.everywhere("/pushed/", async (page) => {
      await page.waitForFunction(() => document.title !== "loading");
      assert.deepEqual(JSON.parse(await page.title()), [
        'performed refreshed [{"city":"Rome"},{"kind":"push","payload":{"id":7}}]',
        "performed shown offers (push)",
        "performed shown more (push)",
      ]);
      assert.deepEqual(page.faults, []);
    });
  });

  // On a change Vite stands for those that find the program by themselves, and esbuild for those that it is named to.
  const atNight = nightly ? test : () => {};

  atNight("Rollup emits a program that is named, and does not build without its plug-in", async () => {
    const [{ rollup }, { default: url }, { default: resolve }] = await Promise.all([import("rollup"), import("@rollup/plugin-url"), import("@rollup/plugin-node-resolve")]);
    const folder = folderOf("rollup");
    const settings = { input: written("named"), plugins: [resolve({ browser: true })], onwarn: (warning) => assert.fail(warning.message) };
    await assert.rejects(rollup(settings), /actions\.wasm/);
    const bundle = await rollup({ ...settings, plugins: [...settings.plugins, url({ include: ["**/*.wasm"], limit: 0 })] });
    await bundle.write({ file: join(folder, "main.js"), format: "es" });
    await bundle.close();
    await runs("/rollup/");
  });

  atNight("webpack finds the program by itself", async () => {
    const { default: webpack } = await import("webpack");
    const folder = folderOf("webpack");
    const settings = { mode: "production", context: application, entry: written(), output: { path: folder, filename: "main.js" }, performance: false };
    const stats = await new Promise((resolve, reject) => webpack(settings, (error, stats) => (error ? reject(error) : resolve(stats))));
    assert.deepEqual(stats.toJson({ errors: true, warnings: true }).errors.concat(stats.toJson().warnings).map(({ message }) => message), []);
    assert.equal(readdirSync(folder).filter((name) => name.endsWith(".wasm")).length, 1);
    await runs("/webpack/");
  });
});
