// Builds the WebAssembly program, with either toolchain, into a folder: actions.wasm, and beside it the support code of that toolchain.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTinyGo, goVersion, liteSources, makeLite, placeholder } from "./build-lite.mjs";

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

/** Where the checked-in program is, with what it was made of. */
const kept = join(root, "wasm/lite");
const keptNames = ["actions.wasm", "wasm_exec.js"];

const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const keptSays = () => JSON.parse(readFileSync(join(kept, "lite.json"), "utf8"));

/** Says in one line why the checked-in program cannot be taken; nothing when it can. */
export function keptProblem() {
  const says = keptSays();
  const other = keptNames.find((name) => sha256(join(kept, name)) !== says[name]);
  if (other) return `wasm/lite/${other} is not the file that wasm/lite/lite.json names: make lite makes it anew`;
  if (says.sources !== liteSources()) {
    return "what the lite program is made of has changed since wasm/lite was made: make lite makes it anew";
  }
  return undefined;
}

/** Gives what makes the lite bundle: the checked-in program, or else TinyGo; or says in one line why there is neither. */
export function findLite() {
  const changed = keptProblem();
  const { problem } = changed ? findTinyGo() : {};
  return problem ? { problem: `${changed}; ${problem}` } : { changed };
}

/** Takes the checked-in program where it is current, and has TinyGo make one otherwise; and writes the version into it. */
function buildLite(folder, version) {
  const { problem, changed } = findLite();
  if (problem) {
    throw new Error(problem);
  }
  const from = changed ? join(root, "build/wasm/tinygo") : kept;
  if (changed) makeLite(from);
  copyFileSync(join(from, "wasm_exec.js"), join(folder, "wasm_exec.js"));
  writeFileSync(join(folder, "actions.wasm"), stamped(readFileSync(join(from, "actions.wasm")), version));
}

/** The program with a version in the place of the placeholder, with blanks behind it. */
function stamped(program, version) {
  const at = program.indexOf(placeholder);
  if (at < 0 || program.indexOf(placeholder, at + 1) >= 0) throw new Error(`the lite program does not hold "${placeholder}" once`);
  if (version.length > placeholder.length) throw new Error(`the version ${version} has more than ${placeholder.length} characters`);
  program.write(version.padEnd(placeholder.length), at, "latin1");
  return program;
}

/** What is written beside a program: what it was made of and with, and the digests of its files. */
function described(folder) {
  const tinygo = readFileSync(join(root, ".ci/tinygo"), "utf8").match(/^version=(.+)$/m)[1];
  const digests = Object.fromEntries(keptNames.map((name) => [name, sha256(join(folder, name))]));
  return { tinygo, go: goVersion(), sources: liteSources(), ...digests };
}

/** Makes the checked-in program anew. */
export function keepLite() {
  const folder = join(root, "build/wasm/tinygo");
  makeLite(folder);
  mkdirSync(kept, { recursive: true });
  for (const name of keptNames) copyFileSync(join(folder, name), join(kept, name));
  writeFileSync(join(kept, "lite.json"), JSON.stringify(described(kept), null, 2) + "\n");
}

/** Makes the program in a folder of its own and says how it differs from the checked-in one; nothing when they are the same. */
export function compareLite() {
  const folder = join(root, "build/wasm/compared");
  rmSync(folder, { recursive: true, force: true });
  makeLite(folder);
  const [there, made] = [keptSays(), described(folder)];
  const differ = Object.keys(made).filter((name) => made[name] !== there[name]);
  return differ.map((name) => `${name}: wasm/lite has ${there[name]}, made anew it is ${made[name]}`).join("\n");
}

const builds = { standard: buildStandard, lite: buildLite };

/** Where the program of a bundle is built. */
export const folderOf = (bundle) => join(root, "build/wasm", bundle);

/** Builds the program of a bundle, which says that it is of this version. */
export function buildProgram(bundle, version, folder = folderOf(bundle)) {
  mkdirSync(folder, { recursive: true });
  builds[bundle](folder, version);
}
