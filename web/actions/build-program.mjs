// Builds the WebAssembly program, with either toolchain, into a folder: actions.wasm, and beside it the support code of that toolchain.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const go = process.env.GO ?? "go";
const wasm = { GOOS: "js", GOARCH: "wasm" };

const run = (command, args, env) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });

/** Go itself knows what is up to date. */
function buildStandard(folder, version) {
  run(go, ["build", "-trimpath", "-buildvcs=false", `-ldflags=-s -w -buildid= -X main.version=${version}`, "-o", join(folder, "actions.wasm"), "./wasm"], wasm);
  copyFileSync(join(execFileSync(go, ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"), join(folder, "wasm_exec.js"));
}

let compiler;

/** Gives the folder of TinyGo, or says in one line why there is none. */
export function findTinyGo() {
  if (compiler === undefined) {
    const { status, stdout, stderr } = spawnSync("sh", [join(root, ".ci/tinygo")], { encoding: "utf8" });
    compiler = status === 0 ? { folder: stdout.trim() } : { problem: stderr?.trim() || "TinyGo cannot be looked for" };
  }
  return compiler;
}

/** Features that both LLVM and the browsers know, and what no page needs. */
const optimized = ["-O3", "--enable-bulk-memory", "--enable-nontrapping-float-to-int", "--enable-sign-ext", "--enable-mutable-globals", "--strip-debug", "--strip-producers"];

/** What package unicode knows of scripts and categories by their names, which nothing here asks for. */
const byName = /^var (?:Categories|CategoryAliases|Scripts|Properties|FoldCategory|FoldScript) = map\[.*\{\n(?:\t.*\n)*\}\n/gm;

/**
 * Gives Go's own sources without those maps: TinyGo fills them when the program starts, since their hashes are random, and so keeps all
 * tables that they name, a third of the program.
 */
function slimSources() {
  const [version, goroot] = execFileSync(go, ["env", "GOVERSION", "GOROOT"], { encoding: "utf8" }).trim().split("\n");
  const slim = join(root, "build/wasm", "goroot-" + createHash("sha256").update(version + "\n" + goroot).digest("hex").slice(0, 12));
  if (existsSync(slim)) {
    return slim;
  }
  const made = mkdtempSync(slim + "-");
  const link = (folder, but) => {
    mkdirSync(join(made, folder), { recursive: true });
    for (const name of readdirSync(join(goroot, folder)).filter((name) => name !== but)) {
      symlinkSync(join(goroot, folder, name), join(made, folder, name));
    }
  };
  link(".", "src");
  link("src", "unicode");
  link("src/unicode", "tables.go");
  const tables = readFileSync(join(goroot, "src/unicode/tables.go"), "utf8");
  const found = tables.match(byName)?.length;
  if (found !== 6) {
    throw new Error(`package unicode of ${version} names its tables in ${found ?? 0} maps, 6 are known: see byName in build-program.mjs`);
  }
  writeFileSync(join(made, "src/unicode/tables.go"), tables.replace(byName, ""));
  try {
    renameSync(made, slim);
  } catch (error) {
    rmSync(made, { recursive: true }); // another build was quicker
    if (!existsSync(slim)) throw error;
  }
  return slim;
}

/** TinyGo takes some ten seconds however little has changed, so nothing is done when nothing has. */
function buildLite(folder, version) {
  const { folder: tinygo, problem } = findTinyGo();
  if (!tinygo) {
    throw new Error(problem);
  }
  const digest = digestOf([...sources(), join(tinygo, "target.json"), fileURLToPath(import.meta.url)], version);
  const [output, stamp] = [join(folder, "actions.wasm"), join(folder, "digest")];
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) {
    return;
  }
  rmSync(stamp, { force: true });
  // The stack has room for handlers that perform in each other as deep as they may, with arguments as deep as they may be.
  const target = JSON.parse(readFileSync(join(tinygo, "target.json"), "utf8"));
  // And the collector has room to leave garbage for a while: where it has little it runs all the time, and performs take four times as long.
  target.ldflags.push("-z", "stack-size=1048576", "--initial-memory=4194304");
  writeFileSync(join(folder, "target.json"), JSON.stringify(target));
  // Nothing may wait in the program, so it needs no scheduler.
  const flags = [`-target=${join(folder, "target.json")}`, "-buildmode=c-shared", "-scheduler=none", "-opt=s", "-no-debug"];
  const raw = join(folder, "raw.wasm");
  run(join(tinygo, "tinygo"), ["build", ...flags, "-ldflags", `-X main.version=${version}`, "-o", raw, "./wasm"], { TINYGOROOT: tinygo, GOROOT: slimSources() });
  run("wasm-opt", [...optimized, raw, "-o", output]);
  rmSync(raw);
  copyFileSync(join(tinygo, "targets/wasm_exec.js"), join(folder, "wasm_exec.js"));
  writeFileSync(stamp, digest);
}

/** The files that the program is made of. */
function sources() {
  const format = "{{if not .Standard}}{{$p := .}}{{range .GoFiles}}{{$p.Dir}}/{{.}}\n{{end}}{{range .EmbedFiles}}{{$p.Dir}}/{{.}}\n{{end}}{{end}}";
  const listed = execFileSync(go, ["list", "-deps", "-tags", "tinygo", "-f", format, "./wasm"], { cwd: root, encoding: "utf8", env: { ...process.env, ...wasm } });
  return listed.split("\n").filter(Boolean);
}

function digestOf(files, version) {
  const hash = createHash("sha256").update(version);
  for (const file of files) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex");
}

const builds = { standard: buildStandard, lite: buildLite };

/** Where the program of a bundle is built. */
export const folderOf = (bundle) => join(root, "build/wasm", bundle);

/** Builds the program of a bundle, which says that it is of this version. */
export function buildProgram(bundle, version, folder = folderOf(bundle)) {
  mkdirSync(folder, { recursive: true });
  builds[bundle](folder, version);
}
