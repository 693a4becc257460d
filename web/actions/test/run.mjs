// Runs every test on the package as it is published, which loads the lite bundle, and again on the standard one in every entry. Where
// TinyGo is not, the package has the standard one. Chromium runs all of them; the other engines run those of what a browser may do in a way of its own.
//
//   node test/run.mjs [FILE...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTinyGo } from "../build-program.mjs";
import { engines } from "./support/engines.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const every = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const asked = (process.argv.length > 2 ? process.argv.slice(2).map((name) => basename(name)) : every).map((name) => join(folder, name));
const reporters = ["spec", "../../.ci/noskips.mjs"].flatMap((name) => [`--test-reporter=${name}`, "--test-reporter-destination=stdout"]);

/** What takes so long that one bundle has to do; applications run in every engine by themselves. */
const once = ["applications", "runners"].map((name) => join(folder, `${name}.test.mjs`));
const inEveryEngine = ["vectors", "host", "hostile", "load", "recovery", "workers"].map((name) => join(folder, `${name}.test.mjs`));

function run(args, extra = {}) {
  const { ACTIONS_BUNDLE: _, ACTIONS_ENGINE: __, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: join(folder, ".."), stdio: "inherit", env: { ...env, ...extra } }).status === 0;
}

const { problem } = findTinyGo();
const absent = problem ? [["the lite bundle", problem]] : [];
const runs = [];
for (const [engine, { missing }] of Object.entries(engines)) {
  const tests = engine === "chromium" ? asked : asked.filter((file) => inEveryEngine.includes(file));
  const reason = engine !== "chromium" && missing(); // the tests themselves say that there is no Chromium: some need none
  if (reason) {
    absent.push([engine, reason]);
  } else if (tests.length > 0) {
    runs.push({ engine, tests });
  }
}

const failed = [];
for (const bundle of problem ? [undefined] : [undefined, "standard"]) {
  const built = bundle && { ACTIONS_BUNDLE: bundle };
  const made = run(["build.mjs"], built);
  for (const { engine, tests } of runs) {
    const name = `${bundle ?? "as published"}, in ${engine}`;
    console.log(`\n-- ${name}`);
    const files = tests.filter((file) => bundle === undefined || !once.includes(file));
    const args = ["--test", ...reporters, "--test-timeout=1500000", "--test-concurrency=1", ...files];
    if (!made || (files.length > 0 && !run(args, { ...built, ACTIONS_ENGINE: engine }))) {
      failed.push(name);
    }
  }
}
for (const [what, reason] of absent) {
  console.log(`\nskip  ${what}: ${reason}`);
  if (process.env.REQUIRE_ALL) {
    failed.push(what);
  }
}
run(["build.mjs"]);
if (failed.length > 0) {
  console.log(`\nfailed: ${failed.join("; ")}`);
  process.exit(1);
}
