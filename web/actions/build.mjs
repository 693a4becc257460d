// Builds the package into dist/: the WebAssembly program, the module, its source map and the types. What is up to date stays.
//
//   node build.mjs [VERSION]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildEntries, entries } from "./build-entries.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const output = join(root, "build/wasm");
const dist = join(here, "dist");
const version = process.argv[2] ?? JSON.parse(readFileSync(join(here, "package.json"), "utf8")).version;
const go = process.env.GO ?? "go";

/** Builds the program and copies the support code of the same toolchain beside it. Go itself knows what is up to date. */
function buildProgram() {
  mkdirSync(output, { recursive: true });
  const flags = ["-trimpath", `-ldflags=-s -w -buildid= -X main.version=${version}`, "-o", join(output, "actions.wasm")];
  execFileSync(go, ["build", ...flags, "./wasm"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
  });
  const support = join(execFileSync(go, ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js");
  copyFileSync(support, join(output, "wasm_exec.js"));
}

/** The support code as a module: it sees the globals that it is given, and none of the page's. */
const runtime = {
  name: "go-runtime",
  setup(builder) {
    builder.onResolve({ filter: /^go-runtime$/ }, () => ({ path: "go-runtime", namespace: "go-runtime" }));
    builder.onLoad({ filter: /.*/, namespace: "go-runtime" }, () => {
      const source = readFileSync(join(output, "wasm_exec.js"), "utf8");
      const [notice, rest] = source.split(/(?<=^\/\/ license that can be found in the LICENSE file\.\n)/m);
      const names = "fs, path, process, crypto, performance, TextEncoder, TextDecoder";
      const wrapped = `/*!\n${notice}*/\nexport function makeGo(globalThis) {\nconst { ${names} } = globalThis;\n${rest}\nreturn globalThis.Go;\n}`;
      return { contents: wrapped, loader: "js" };
    });
  },
};

/** Bundles the module, for import and for Node's require, which has another way to say where it is. */
async function buildModule(format) {
  const required = format === "cjs";
  await build({
    entryPoints: [join(here, "src/index.ts")],
    outfile: join(dist, required ? "index.cjs" : "index.js"),
    bundle: true,
    format,
    target: "es2022",
    minify: true,
    keepNames: false,
    sourcemap: !required,
    legalComments: "inline",
    define: { PACKAGE_VERSION: JSON.stringify(version), ...(required && { "import.meta.url": "moduleUrl" }) },
    banner: { js: required ? 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' : "" },
    plugins: [runtime],
    logLevel: "warning",
  });
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

/** Writes the hashes of what pages load from another origin. */
function writeIntegrity() {
  const names = readdirSync(dist).filter((name) => /\.(js|wasm)$/.test(name)).sort();
  const hash = (name) => "sha384-" + createHash("sha384").update(readFileSync(join(dist, name))).digest("base64");
  writeFileSync(join(dist, "integrity.json"), JSON.stringify(Object.fromEntries(names.map((name) => [name, hash(name)])), null, 2) + "\n");
}

mkdirSync(dist, { recursive: true });
buildProgram();
copyFileSync(join(output, "actions.wasm"), join(dist, "actions.wasm"));
await Promise.all([buildModule("esm"), buildModule("cjs"), buildEntries()]);
buildTypes();
writeIntegrity();
