// Measures the package in one Chromium run and prints ratios. Times differ between machines; ratios of one run mean something.
//
//   node bench/run.mjs [--quick]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { launch } from "../test/support/browser.mjs";
import { packageFolder, serve } from "../test/support/server.mjs";

const quick = process.argv.includes("--quick");
const root = join(packageFolder, "../..");
const sql = dirname(fileURLToPath(import.meta.resolve("sql.js")));

/** Compresses as a server does that has the time. */
function brotli(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

function row(what, ours, other, unit, aim) {
  const ratio = ours / other;
  const verdict = aim === undefined ? "" : `aim ${aim}${ratio <= aim ? "" : ", missed"}`;
  const amount = (n) => (n >= 100 ? n.toFixed(0) : n.toFixed(1)).padStart(10);
  console.log(`  ${what.padEnd(66)}${amount(ours)}${amount(other)} ${unit.padEnd(3)}${ratio.toFixed(2).padStart(9)}   ${verdict}`);
}

/** Builds a program that does nothing but import safejs, in a module of its own beside the house. */
function safejsProgram() {
  const folder = mkdtempSync(join(root, "build/safejs-only-"));
  try {
    const source = [
      "package main",
      'import "github.com/hack-pad/safejs"',
      "func main() {",
      "\tf, err := safejs.FuncOf(func(safejs.Value, []safejs.Value) any { return nil })",
      '\tif err == nil {\n\t\terr = safejs.Global().Set("f", f)\n\t}',
      "\tif err != nil {\n\t\tpanic(err)\n\t}",
      "\tselect {}",
      "}",
    ];
    writeFileSync(join(folder, "main.go"), source.join("\n"));
    const output = join(folder, "main.wasm");
    const flags = ["build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", output, join(folder, "main.go")];
    execFileSync(process.env.GO ?? "go", flags, { cwd: root, stdio: "inherit", env: { ...process.env, GOOS: "js", GOARCH: "wasm" } });
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compressed = (type, bytes) => {
  const body = brotli(bytes);
  return () => ({ type, body, headers: { "content-encoding": "br" } });
};

/** Opens a page with nothing in the cache, and gives milliseconds to the first result. */
async function firstResult(browser, origin, what) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin + "/");
  const time = await page.evaluate(async (what) => (await import("/bench/first.js"))[what](), what);
  await context.close();
  return time;
}

async function measureHeap(browser, origin) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(origin + "/");
  const cdp = await page.context().newCDPSession(page);
  const sizes = [];
  for (const performs of quick ? [1000, 100000] : [1000, 1000000]) {
    const wasm = await page.evaluate(async (performs) => (await import("/bench/heap.js")).perform(performs), performs);
    await cdp.send("HeapProfiler.collectGarbage");
    await cdp.send("HeapProfiler.collectGarbage");
    const { usedSize } = await cdp.send("Runtime.getHeapUsage");
    sizes.push((usedSize + wasm) / 1e6);
  }
  return sizes;
}

mkdirSync(join(root, "build"), { recursive: true });
const program = readFileSync(join(packageFolder, "dist/standard/actions.wasm"));
const module = readFileSync(join(packageFolder, "dist/standard/index.js"));
const bare = safejsProgram();
const liteProgram = readFileSync(join(packageFolder, "dist/actions.wasm"));
const server = await serve({
  folders: { bench: join(packageFolder, "bench") },
  routes: {
    "/br/standard/index.js": compressed("text/javascript", module),
    "/br/standard/actions.wasm": compressed("application/wasm", program),
    "/br/index.js": compressed("text/javascript", readFileSync(join(packageFolder, "dist/index.js"))),
    "/br/actions.wasm": compressed("application/wasm", liteProgram),
    "/br/wasm_exec.js": compressed("text/javascript", readFileSync(join(root, "build/wasm/standard/wasm_exec.js"))),
    "/br/floor.wasm": compressed("application/wasm", bare),
    "/br/sql-wasm.js": compressed("text/javascript", readFileSync(join(sql, "sql-wasm.js"))),
    "/br/sql-wasm.wasm": compressed("application/wasm", readFileSync(join(sql, "sql-wasm.wasm"))),
  },
});
const browser = await launch(["--js-flags=--expose-gc"]);
try {
  console.log(`  ${"".padEnd(66)}${"ours".padStart(10)}${"other".padStart(10)}${"ratio".padStart(13)}`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.origin + "/");
  const { result } = await page.evaluate(async (rounds) => (await import("/bench/perform.js")).measure(rounds), quick ? 5 : 15);
  const aims = { known: { no: 1.5, 5: 2 }, fresh: {} };
  for (const [name, [plain, shallow, copying, ours, lite]] of Object.entries(result)) {
    if (name === "asynchronous") {
      row("perform, asynchronous handler : the same in plain JavaScript", ours, plain, "ns", 3);
      row("  the same : lite bundle against the standard one", lite, ours, "ns");
      continue;
    }
    const [kind, amount] = name.split(/[ ,]+/);
    row(`perform, ${name.replace(",", " identifier,")} : Map that copies shallowly`, ours, shallow, "ns", aims[kind][amount]);
    row("  the same : Map that copies nothing", ours, plain, "ns", kind === "fresh" ? 4 : undefined);
    if (name.includes("5")) {
      row("  the same : with the arguments copied by structuredClone", ours, copying, "ns");
    }
    row("  the same : lite bundle against the standard one", lite, ours, "ns");
  }
  for (const [name, ours, lite, aim] of await page.evaluate(async (rounds) => (await import("/bench/perform.js")).measureOffThePath(rounds), quick ? 5 : 15)) {
    row(`${name} : 1 us`, ours, 1, "us", aim);
    row("  the same, lite bundle", lite, 1, "us");
  }
  const heap = await measureHeap(browser, server.origin);
  row("heap and WebAssembly memory after many performs : after a thousand", heap[1], heap[0], "MB", 1.0);
  const times = { actions: [], lite: [], floor: [], sql: [] };
  for (let round = 0; round < (quick ? 3 : 11); round++) {
    for (const what of Object.keys(times)) {
      times[what].push(await firstResult(browser, server.origin, what));
    }
  }
  row("load to first perform : sql.js, load to first query", median(times.actions), median(times.sql), "ms", 1);
  row("  the same, lite bundle", median(times.lite), median(times.sql), "ms", 0.5);
  row("  the same, a program that imports safejs only", median(times.floor), median(times.sql), "ms");
  row("  the same, of what such a program takes", median(times.actions), median(times.floor), "ms");
  row("program, brotli 11 : a program that imports safejs only", brotli(program).length / 1000, brotli(bare).length / 1000, "kB", 1.05);
  row("lite program, brotli 11 : the standard one", brotli(liteProgram).length / 1000, brotli(program).length / 1000, "kB", 0.125);
  row("module, brotli 11 : nothing to compare with", brotli(module).length / 1000, 1, "kB");
} finally {
  await browser.close();
  await server.close();
}
