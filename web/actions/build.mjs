// Builds the package into dist/: the WebAssembly program, the module, its source map and the types. What is up to date stays.
//
//   node build.mjs [VERSION]                  the lite bundle, and the standard one in dist/standard
//   node build.mjs --page                     what the page of the server needs: the lite bundle, without types
//   ACTIONS_BUNDLE=standard node build.mjs    that bundle wherever there is one, for the tests
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildEntries, entries } from "./build-entries.mjs";
import { buildProgram, findLite, folderOf } from "./build-program.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const output = join(root, "build/wasm");
const dist = join(here, "dist");
const forPage = process.argv[2] === "--page";
const version = (forPage ? undefined : process.argv[2]) ?? JSON.parse(readFileSync(join(here, "package.json"), "utf8")).version;

/** What the support code of each toolchain is to see instead of the page's globals. */
const names = "fs, path, process, crypto, performance, TextEncoder, TextDecoder";
const shadows = {
  standard: `const { ${names} } = globalThis;`,
  lite: `const { ${names}, console } = globalThis, global = globalThis, window = undefined, require = undefined, module = undefined;`,
};

/** The support code as a module: it sees the globals that it is given, and none of the page's. And how a program of its toolchain is run. */
const runtime = (bundle) => ({
  name: "go-runtime",
  setup(builder) {
    builder.onResolve({ filter: /^go-runtime$/ }, () => ({ path: "go-runtime", namespace: "go-runtime" }));
    builder.onLoad({ filter: /.*/, namespace: "go-runtime" }, () => {
      const source = readFileSync(join(folderOf(bundle), "wasm_exec.js"), "utf8");
      const [notice, rest] = source.split(/(?<=^\/\/ license that can be found in the LICENSE file\.\n)/m);
      const wrapped = `/*!\n${notice}*/\nexport function makeGo(globalThis) {\n${shadows[bundle]}\n${rest}\nreturn globalThis.Go;\n}`;
      return { contents: wrapped, loader: "js" };
    });
    if (bundle === "lite") {
      builder.onResolve({ filter: /^\.\/toolchain\.js$/ }, () => ({ path: join(here, "src/toolchain-lite.ts") }));
    }
  },
});

/** Makes a bundle one for require: in fewer bytes than esbuild, which has exports that may change. */
function forRequire(code) {
  const file = 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;';
  const exported = (_, names) => names.split(",").map((name) => name.split(" as ")).map(([own, name = own]) => `exports.${name}=${own};`).join("");
  return `"use strict";${file}Object.defineProperty(exports,"__esModule",{value:!0});\n${code.replace(/export\{([^}]*)\};\s*$/, exported)}\n`;
}

/** Bundles the module into a folder, for import and for Node's require, which has another way to say where it is. */
async function buildModule(bundle, folder, format) {
  const required = format === "cjs";
  const { outputFiles } = await build({
    entryPoints: [join(here, "src/index.ts")],
    outfile: join(folder, "index.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    keepNames: false,
    sourcemap: !required,
    legalComments: "inline",
    define: { PACKAGE_VERSION: JSON.stringify(version), ...(required && { "import.meta.url": "moduleUrl" }) },
    plugins: [runtime(bundle)],
    logLevel: "warning",
    write: !required,
  });
  if (required) {
    writeFileSync(join(folder, "index.cjs"), forRequire(outputFiles[0].text));
  }
}

/** Puts a program and its modules into a folder. */
async function buildBundle(bundle, folder) {
  mkdirSync(folder, { recursive: true });
  buildProgram(bundle, version);
  copyFileSync(join(folderOf(bundle), "actions.wasm"), join(folder, "actions.wasm"));
  await Promise.all(["esm", "cjs"].map((format) => buildModule(bundle, folder, format)));
}

/** The types of an import of the program, which bundlers make the URL of the file. */
const urlType = "declare const url: string;\n";

/** Writes the types, when the sources have changed since. */
function buildTypes() {
  const sources = readdirSync(join(here, "src")).map((name) => join(here, "src", name));
  const files = [...sources, ...["tsconfig.json", "build-entries.mjs", "../tsconfig.base.json"].map((name) => join(here, name))];
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(file).update(readFileSync(file));
  }
  const stamp = join(output, "types.digest");
  const digest = hash.digest("hex");
  if (existsSync(join(dist, "index.d.ts")) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) {
    return;
  }
  const tsc = join(dirname(fileURLToPath(import.meta.resolve("typescript"))), "tsc.js");
  execFileSync(process.execPath, [tsc, "-p", here], { stdio: "inherit" });
  const published = ["index", "types", "arguments", "builtins", "declared", "errors", "browser-host", "create", "load", ...entries].map((name) => name + ".d.ts");
  for (const name of readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name) && !published.includes(name))) {
    rmSync(join(dist, name));
  }
  for (const name of published) {
    const types = readFileSync(join(dist, name), "utf8").replace(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"');
    writeFileSync(join(dist, name.replace(".ts", ".cts")), types);
  }
  writeFileSync(join(dist, "actions.wasm.d.ts"), `${urlType}export default url;\n`);
  writeFileSync(join(dist, "actions.wasm.d.cts"), `${urlType}export = url;\n`);
  writeFileSync(stamp, digest);
}

/** Writes the types of the entry in a folder beside the module's own, which has the same. */
function pointTypes(folder) {
  for (const [extension, module] of [["ts", "js"], ["cts", "cjs"]]) {
    writeFileSync(join(folder, `index.d.${extension}`), `export * from "../index.${module}";\n`);
    copyFileSync(join(dist, `actions.wasm.d.${extension}`), join(folder, `actions.wasm.d.${extension}`));
  }
}

/** Writes the hashes of what pages load from another origin. */
function writeIntegrity() {
  const names = readdirSync(dist, { recursive: true }).filter((name) => /\.(js|wasm)$/.test(name)).sort();
  const hash = (name) => "sha384-" + createHash("sha384").update(readFileSync(join(dist, name))).digest("base64");
  writeFileSync(join(dist, "integrity.json"), JSON.stringify(Object.fromEntries(names.map((name) => [name, hash(name)])), null, 2) + "\n");
}

/** Gives the bundle of an entry: the one that all are to have, in tests; the standard one for lite where that cannot be built. */
function bundleOf(entry) {
  const bundle = process.env.ACTIONS_BUNDLE ?? entry;
  const { problem } = bundle === "lite" ? findLite() : {};
  if (!problem) {
    return bundle;
  }
  if (process.env.REQUIRE_ALL || process.env.ACTIONS_BUNDLE) {
    throw new Error(problem);
  }
  console.log(`@rehearsal/actions: the lite bundle is not built, and the standard one is in its place: ${problem}`);
  return "standard";
}

const standard = join(dist, "standard");
await buildBundle(bundleOf("lite"), dist);
if (!forPage) {
  await buildBundle(bundleOf("standard"), standard);
  await buildEntries();
  buildTypes();
  pointTypes(standard);
}
writeIntegrity();
