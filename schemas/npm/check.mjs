// Checks the package where it is installed: it holds what the files hold, its types mean what they must, and its validator agrees with
// every sample. Takes the folder of the schemas in the repository. Exit status 1 when something is wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { base, formats, keywords, schemas, validator } from "@rehearsal/schemas";
import userbase from "@rehearsal/schemas/legacy/userbase.row.json" with { type: "json" };

const root = resolve(process.argv[2]);
const repository = (file) => import(pathToFileURL(join(root, file)));
const { readJSON, readSamples, readSchemas, vocabularyKeywords } = await repository("npm/files.mjs");
const { problemOf } = await repository("conformance/ajv/validator.mjs");
const files = readSchemas();
assert.deepEqual(schemas, Object.fromEntries(files));
assert.deepEqual(keywords, vocabularyKeywords(files));
assert.deepEqual(userbase, files.get("legacy/userbase.row.json"));
for (const [file, { $id }] of files) assert.equal($id, base + file);
const required = createRequire(import.meta.url);
assert.equal(required("@rehearsal/schemas").validator, validator);
assert.deepEqual(required("@rehearsal/schemas/legacy/userbase.row.json"), userbase);
assert.equal(validator("userbase"), validator("legacy/userbase.row"));
assert.throws(() => validator("nothing"), RangeError);

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const options = ["--noEmit", "--strict", "--target", "es2022", "--skipLibCheck"];
for (const modules of [["--module", "nodenext"], ["--module", "commonjs", "--moduleResolution", "node10"]]) {
  execFileSync(process.execPath, [compiler, ...options, ...modules, "check.ts"], { stdio: "inherit" });
}

const complaints = [];
const valid = readSamples("valid");
for (const { file, schema, value } of valid) {
  const validate = validator(schema);
  if (!validate(value)) complaints.push(`valid/${file} is refused: ${JSON.stringify(validate.errors)}`);
}
const invalid = readSamples("invalid");
for (const { file, schema, value, problem } of invalid) {
  const validate = validator(schema);
  const found = validate(value) ? [] : validate.errors.map(problemOf);
  if (!found.some(({ pointer, keyword }) => pointer === problem.pointer && keyword === problem.keyword)) {
    complaints.push(`invalid/${file}: want ${JSON.stringify(problem)}, found ${JSON.stringify(found)}`);
  }
}
for (const [name, { valid, invalid }] of Object.entries(readJSON(join(root, "formats", "formats.json")))) {
  const wrong = [...valid.filter((text) => !formats[name](text)), ...invalid.filter((text) => formats[name](text))];
  complaints.push(...wrong.map((text) => `${name}: ${JSON.stringify(text)}`));
}
for (const name of files.keys()) validator(name); // compiles in strict mode, also without a sample
for (const complaint of complaints) console.error(`npm: ${complaint}`);
console.log(`npm: ${files.size} schemas, ${valid.length} valid and ${invalid.length} invalid samples, ${complaints.length} disagreements`);
process.exitCode = complaints.length > 0 ? 1 : 0;
