// Builds the package into dist/: the WebAssembly program, the module, its source map and the types. What is up to date stays.
//
//   node build.mjs
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const output = join(root, "build/wasm");
const dist = join(here, "dist");
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
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

/** Bundles the module. */
async function buildModule() {
  await build({
    entryPoints: [join(here, "src/index.ts")],
    outfile: join(dist, "index.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    keepNames: false,
    sourcemap: true,
    legalComments: "inline",
    define: { PACKAGE_VERSION: JSON.stringify(version) },
    plugins: [runtime],
    logLevel: "warning",
  });
}

/** Writes the types, when the sources have changed since. */
function buildTypes() {
  const sources = readdirSync(join(here, "src")).map((name) => join(here, "src", name));
  const files = [...sources, join(here, "tsconfig.json"), join(here, "../tsconfig.base.json")];
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
  const published = ["index", "types", "arguments", "builtins", "declared", "errors", "browser-host", "create", "load"].map((name) => name + ".d.ts");
  for (const name of readdirSync(dist).filter((name) => name.endsWith(".d.ts") && !published.includes(name))) {
    rmSync(join(dist, name));
  }
  writeFileSync(stamp, digest);
}

mkdirSync(dist, { recursive: true });
buildProgram();
copyFileSync(join(output, "actions.wasm"), join(dist, "actions.wasm"));
await buildModule();
buildTypes();
