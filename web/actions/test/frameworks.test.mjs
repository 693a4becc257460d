// Applications in React and Vue, outside of the clone, rendered on a server and run in every engine under a strict policy.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { makeApplication } from "./support/application.mjs";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder, strictPolicy } from "./support/server.mjs";

const output = join(packageFolder, "../../build/frameworks");
const sources = { react: "react.tsx", vue: "vue.ts" };
const expected = {
  react: [[0, 1], ["one", "two", "three"], 1, "not_found", ["other"]],
  vue: [[1, 3, "other"], "not_found", ["other"]],
};

const page = (name) => () => ({
  type: "text/html",
  headers: { "content-security-policy": strictPolicy },
  body: `<!doctype html><html lang="en"><title>loading</title><body><script type="module" src="/frameworks/${name}.js"></script></body></html>`,
});
const options = { folders: { frameworks: output }, routes: { "/react": page("react"), "/vue": page("vue") } };

const bundle = (name, more) =>
  build({
    entryPoints: { [name]: join(application.folder, sources[name]) },
    outdir: output,
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
    logLevel: "error",
    ...more,
  });

let application;
before(() => {
  application = makeApplication(["react", "react-dom", "vue"]);
  for (const source of Object.values(sources)) {
    copyFileSync(join(packageFolder, "test/bundled", source), join(application.folder, source));
  }
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  copyFileSync(join(packageFolder, "dist/actions.wasm"), join(output, "actions.wasm"));
});
after(() => application.remove());

for (const [name, render] of [
  ["react", async (application) => (await import("react-dom/server")).renderToString(application)],
  ["vue", async (application) => (await import("vue/server-renderer")).renderToString(application())],
]) {
  test(`${name} renders on a server, and loads nothing there`, async () => {
    await bundle(name, { outdir: application.folder, packages: "external", platform: "node", outExtension: { ".js": ".mjs" } });
    const { actions, application: rendered } = await import(pathToFileURL(join(application.folder, `${name}.mjs`)).href);
    assert.match(await render(rendered), /<p id="counter">false(<!-- -->)? (<!-- -->)?0/);
    assert.equal(actions.loaded, false);
  });
}

inBrowser("frameworks", options, (given) => {
  for (const name of ["react", "vue"]) {
    test(`components of ${name} register while they are mounted`, async () => {
      await bundle(name);
      await given.everywhere(`/${name}`, async (page) => {
        await page.waitForFunction(() => document.title !== "loading");
        assert.deepEqual(JSON.parse(await page.title()), expected[name]);
        assert.deepEqual(page.faults, []);
      });
    });
  }
});
