// Checks the package where it is installed: it holds what the files hold, its types mean what they must, and it explains as the Go
// package does. Takes the folder of the schemas in the repository, and cases other than those of testdata.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { keywords, schemas } from "@rehearsal/schemas";
import userbase from "@rehearsal/schemas/legacy/userbase.row.json" with { type: "json" };
import { InvalidError, Validator } from "@rehearsal/schemas/validator";

const root = resolve(process.argv[2]);
const { readSchemas, vocabularyKeywords } = await import(pathToFileURL(join(root, "npm", "files.mjs")));
const files = readSchemas();
assert.deepEqual(schemas, Object.fromEntries(files));
assert.deepEqual(keywords, vocabularyKeywords(files));
assert.deepEqual(userbase, files.get("legacy/userbase.row.json"));

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"];
execFileSync(process.execPath, [compiler, ...options, "check.ts"], { stdio: "inherit" });
console.log("npm: the module and the types are good");

const validator = new Validator();
assert.throws(() => validator.validate("userbase", {}), InvalidError);
assert.throws(() => validator.problems("nothing", {}), RangeError);
const readJSON = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const cases = readJSON(process.argv[3] ?? join(root, "testdata", "explanations.json"));
let different = 0;
for (const { schema, sample, value = null, problems } of cases) {
  const said = validator.problems(schema, sample ? readJSON(root, "testdata", "invalid", sample).value : value);
  if (isDeepStrictEqual(said, problems)) continue;
  different++;
  if (different <= 20) console.error(`npm: ${schema} ${sample ?? ""}\n  want ${JSON.stringify(problems)}\n  said ${JSON.stringify(said)}`);
}
console.log(`npm: ${cases.length} explanations, ${different} different`);
process.exitCode = different > 0 ? 1 : 0;
