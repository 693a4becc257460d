// Runs every test on the package as it is published, which loads the lite bundle, and again on the standard one in every entry. Where
// TinyGo is not, the package has the standard one. Chromium runs all of them; the other engines run those of what a browser may do in a way of its own.
// TEST_LEVEL says how much: all of that is done at night.
//
//   node test/run.mjs [FILE...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findLite } from "../build-program.mjs";
import { engines } from "./support/engines.mjs";
import { nightly } from "./support/level.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const nameOf = (file) => basename(file, ".test.mjs");
const every = readdirSync(folder).filter((name) => name.endsWith(".test.mjs")).map(nameOf);
const named = process.argv.slice(2).map(nameOf);
const asked = named.length > 0 ? named : every;
const reporters = ["spec", "../../.ci/noskips.mjs"].flatMap((name) => [`--test-reporter=${name}`, "--test-reporter-destination=stdout"]);

/** What takes so long that one bundle has to do; applications run in every engine by themselves. */
const once = ["applications", "runners"];
/**
 * What is left to the night, with what finds faults of its kind on a change: applications are bundled by Vite in bundlers, and what
 * runners run is run by Node in testing.
 */
const atNight = nightly || named.length > 0 ? [] : ["applications", "runners"];
const inEveryEngine = ["vectors", "host", "hostile", "load", "playground", "recovery", "workers"];
/** Other engines than Chromium: on a change one short pass, of the host, of workers and of apps that join. */
const inOtherEngines = nightly ? inEveryEngine : ["host", "playground", "workers"];
/** The second bundle: on a change what its program does, not what is around it, in Chromium. */
const onStandard = nightly ? every.filter((name) => !once.includes(name)) : ["vectors", "recovery"];

/** The tests of a run. */
const testsOf = (bundle, engine) => {
  const tests = asked.filter((name) => !atNight.includes(name) && (bundle === undefined || onStandard.includes(name)));
  if (engine === "chromium") return tests;
  return bundle === undefined || nightly ? tests.filter((name) => inOtherEngines.includes(name)) : [];
};

function run(args, extra = {}) {
  const { ACTIONS_BUNDLE: _, ACTIONS_ENGINE: __, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: join(folder, ".."), stdio: "inherit", env: { ...env, ...extra } }).status === 0;
}

const { problem } = findLite();
const absent = problem ? [["the lite bundle", problem]] : [];
const present = [];
for (const [engine, { missing }] of Object.entries(engines)) {
  const reason = engine !== "chromium" && missing(); // the tests themselves say that there is no Chromium: some need none
  if (reason) absent.push([engine, reason]);
  else present.push(engine);
}

const failed = [];
for (const bundle of problem ? [undefined] : [undefined, "standard"]) {
  if (present.every((engine) => testsOf(bundle, engine).length === 0)) continue;
  const built = bundle && { ACTIONS_BUNDLE: bundle };
  const made = run(["build.mjs"], built);
  for (const engine of present) {
    const files = testsOf(bundle, engine).map((name) => join(folder, `${name}.test.mjs`));
    if (files.length === 0) continue;
    const name = `${bundle ?? "as published"}, in ${engine}`;
    console.log(`\n-- ${name}`);
    const args = ["--test", ...reporters, "--test-timeout=1500000", "--test-concurrency=1", ...files];
    if (!made || !run(args, { ...built, ACTIONS_ENGINE: engine })) failed.push(name);
  }
}
for (const name of atNight) console.log(`\nat night: ${name}.test.mjs`);
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
