// Runs the tests of the page on what is built: all of them, or the files that are named. TEST_LEVEL says how much.
//
//   node test/run.mjs [FILE...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nightly } from "../../actions/test/support/level.mjs";

/** Files that run at night only, with what finds faults of their kind on a change. */
const atNight = {
  person: "make and loop follow rows to their file; craft and exports-access open the view",
};

const folder = dirname(fileURLToPath(import.meta.url));
const every = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const asked = process.argv.slice(2).map((name) => basename(name));
const files = asked.length > 0 ? asked : every.filter((name) => nightly || !(basename(name, ".test.mjs") in atNight));
if (files.length < every.length && asked.length === 0)
  for (const [name, instead] of Object.entries(atNight)) console.log(`at night: ${name}.test.mjs; ${instead}`);

const stdout = "--test-reporter-destination=stdout";
const reporters = ["spec", join(folder, "../../../.ci/noskips.mjs")].flatMap((name) => [`--test-reporter=${name}`, stdout]);
const flags = ["--test", ...reporters, "--test-timeout=1500000", "--test-concurrency=1"];
const { status } = spawnSync(process.execPath, [...flags, ...files.map((name) => join(folder, name))], { stdio: "inherit" });
process.exit(status ?? 1);
