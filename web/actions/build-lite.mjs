// Has TinyGo build the lite program. This file is among what the checked-in program is made of: see liteSources.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const go = process.env.GO ?? "go";

const run = (command, args, env) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });

/** The version in the checked-in program, of which a build makes its own: nothing else in the program depends on the version. */
export const placeholder = "version".padEnd(24, "-");

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
    throw new Error(`package unicode of ${version} names its tables in ${found ?? 0} maps, 6 are known: see byName in build-lite.mjs`);
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

/** The digest of what the lite program is made of. Go is not asked: the page is built without it. */
export function liteSources() {
  const walk = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === "testdata" ? [] : walk(name);
      return entry.name.endsWith(".go") && !entry.name.endsWith("_test.go") ? [name] : [];
    });
  const hash = createHash("sha256");
  for (const name of [...walk("actions"), ...walk("wasm"), ".ci/tinygo", "web/actions/build-lite.mjs"].sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  }
  // The one module that the bridge imports, whose content go.sum holds.
  const [module] = readFileSync(join(root, "go.mod"), "utf8").match(/^\s*github\.com\/hack-pad\/safejs \S+$/m);
  return hash.update(module.trim()).digest("hex");
}

/** The version of Go, whose library is in the program. */
export const goVersion = () => execFileSync(go, ["env", "GOVERSION"], { encoding: "utf8" }).trim();

/** TinyGo takes some ten seconds however little has changed, so nothing is done when nothing has. */
export function makeLite(folder) {
  const { folder: tinygo, problem } = findTinyGo();
  if (!tinygo) {
    throw new Error(problem);
  }
  mkdirSync(folder, { recursive: true });
  const [output, stamp] = [join(folder, "actions.wasm"), join(folder, "digest")];
  const digest = `${liteSources()} ${goVersion()}`;
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
  run(join(tinygo, "tinygo"), ["build", ...flags, "-ldflags", `-X main.version=${placeholder}`, "-o", raw, "./wasm"], { TINYGOROOT: tinygo, GOROOT: slimSources(), GOFLAGS: "" });
  run("wasm-opt", [...optimized, raw, "-o", output]);
  rmSync(raw);
  copyFileSync(join(tinygo, "targets/wasm_exec.js"), join(folder, "wasm_exec.js"));
  writeFileSync(stamp, digest);
}
