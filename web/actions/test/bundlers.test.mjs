// The package in an application: type-checked, bundled by Vite and by esbuild, and run under a strict policy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
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
  for (const project of ["tsconfig.json", "tsconfig.augmented.json"]) {
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
  const types = ["arguments", "browser-host", "builtins", "create", "declared", "errors", "index", "load", "react", "testing", "types", "vue", "actions.wasm"].flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.d.cts`]);
  assert.deepEqual(names, ["LICENSE", "README.md", "THIRD_PARTY_NOTICES", "dist/actions.wasm", ...types, "dist/index.cjs", "dist/index.js", "dist/index.js.map", ...["react", "testing", "vue"].flatMap((name) => [`dist/${name}.cjs`, `dist/${name}.js`]), "package.json"].sort());
});

inBrowser("bundlers", options, (given) => {
  const application = mkdtempSync(join(tmpdir(), "application-"));
  const installed = join(application, "node_modules/@rehearsal/actions");

  /** Installs the package into an application of its own, outside of the clone, in the way that README.md says. */
  before(() => {
    for (const name of ["index.html", "main.ts"]) {
      copyFileSync(join(source, name), join(application, name));
    }
    writeFileSync(join(application, "package.json"), JSON.stringify({ name: "application", private: true, type: "module" }));
    const flags = ["--install-links", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", ["install", ...flags, packageFolder], { cwd: application, stdio: ["ignore", "ignore", "pipe"] });
  });
  after(() => rmSync(application, { recursive: true, force: true }));

  async function runs(path) {
    await performs(await given.page(path));
  }

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

  test("Vite's build finds the program by itself", async () => {
    const { build } = await import("vite");
    await build({ root: application, base: "/vite/", logLevel: "error", configFile: false, build: { outDir: join(output, "vite"), emptyOutDir: true } });
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
