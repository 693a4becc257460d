// The package in an application: type-checked, bundled by Vite and by esbuild, and run under a strict policy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder, strictPolicy } from "./support/server.mjs";

const source = join(packageFolder, "test/bundled");
const output = join(packageFolder, "../../build/bundled");

const page = (folder) => () => ({
  type: "text/html",
  body: readFileSync(join(output, folder, "index.html")),
  headers: { "content-security-policy": strictPolicy },
});

const options = {
  folders: { vite: join(output, "vite"), esbuild: join(output, "esbuild") },
  routes: { "/vite/": page("vite"), "/esbuild/": page("esbuild") },
};

test("an application is type-checked against the package's types", () => {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript"))), "tsc.js");
  execFileSync(process.execPath, [compiler, "-p", source], { stdio: "inherit" });
});

test("the module can be imported where there is no page, to be rendered on a server", () => {
  const code = 'import("@rehearsal/actions").then(({ loadActions, version }) => process.stdout.write(typeof loadActions + version))';
  const output = execFileSync(process.execPath, ["-e", code], { cwd: packageFolder, encoding: "utf8" });
  assert.equal(output, "function" + JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version);
});

test("loading where there is no page is refused in words: unsupported_browser", () => {
  const code = `import("@rehearsal/actions").then(({ ActionsError, loadActions }) => loadActions().catch((error) => {
    process.stdout.write([error instanceof ActionsError, error.code, error.message].join());
  }))`;
  const output = execFileSync(process.execPath, ["-e", code], { cwd: packageFolder, encoding: "utf8" });
  assert.match(output, /^true,unsupported_browser,there is no page here.*Call loadActions in code that runs in a browser's page/);
});

test("what is published is complete, and nothing else", () => {
  const files = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: packageFolder, encoding: "utf8" }));
  const names = (Array.isArray(files) ? files[0] : Object.values(files)[0]).files.map(({ path }) => path).sort();
  const types = ["browser-host", "errors", "index", "load", "types"].map((name) => `dist/${name}.d.ts`);
  assert.deepEqual(names, ["README.md", "dist/actions.wasm", ...types, "dist/index.js", "dist/index.js.map", "package.json"].sort());
});

inBrowser("bundlers", options, (given) => {
  async function runs(path) {
    const page = await given.page(path);
    await page.waitForFunction(() => document.title !== "loading");
    assert.equal(await page.title(), "performed Say-Hello Ada (manual) false /t true");
    assert.deepEqual(page.faults, []);
  }

  test("Vite finds the program by itself", async () => {
    const { build } = await import("vite");
    await build({ root: source, base: "/vite/", logLevel: "error", configFile: false, build: { outDir: join(output, "vite"), emptyOutDir: true } });
    assert.ok(readdirSync(join(output, "vite/assets")).some((name) => name.endsWith(".wasm")));
    await runs("/vite/");
  });

  test("esbuild needs the program beside the bundle", async () => {
    const { build } = await import("esbuild");
    const folder = join(output, "esbuild");
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true });
    await build({ entryPoints: [join(source, "main.ts")], bundle: true, format: "esm", minify: true, outfile: join(folder, "main.js"), logLevel: "error" });
    copyFileSync(fileURLToPath(import.meta.resolve("@rehearsal/actions/actions.wasm")), join(folder, "actions.wasm"));
    writeFileSync(join(folder, "index.html"), readFileSync(join(source, "index.html"), "utf8").replace("./main.ts", "./main.js"));
    await runs("/esbuild/");
  });
});
