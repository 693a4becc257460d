// Runs every test on the package as it is published, which loads the lite bundle, and again on the standard one in every entry. Where
// TinyGo is not, the package has the standard one.
//
//   node test/run.mjs [FILE...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTinyGo } from "../build-program.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const every = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const files = (process.argv.length > 2 ? process.argv.slice(2).map((name) => basename(name)) : every).map((name) => join(folder, name));
const reporters = ["spec", "../../.ci/noskips.mjs"].flatMap((name) => [`--test-reporter=${name}`, "--test-reporter-destination=stdout"]);

function run(bundle, ...args) {
  const { ACTIONS_BUNDLE: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: join(folder, ".."), stdio: "inherit", env: { ...env, ...(bundle && { ACTIONS_BUNDLE: bundle }) } }).status === 0;
}

const { problem } = findTinyGo();
const failed = [];
for (const bundle of problem ? [undefined] : [undefined, "standard"]) {
  const name = bundle ?? "as published";
  console.log(`\n-- ${name}`);
  if (!run(bundle, "build.mjs") || !run(bundle, "--test", ...reporters, "--test-timeout=1500000", "--test-concurrency=1", ...files)) {
    failed.push(name);
  }
}
if (problem) {
  console.log(`\nskip  the lite bundle: ${problem}`);
}
run(undefined, "build.mjs");
if (failed.length > 0 || (problem && process.env.REQUIRE_ALL)) {
  console.log(`\nfailed: ${failed.join(", ") || "the lite bundle"}`);
  process.exit(1);
}
