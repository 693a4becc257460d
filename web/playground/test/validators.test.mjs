// The validators that are compiled into the page are those of the schema files: every sample of theirs is judged alike.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { compile } from "../plugins/validators.mjs";
import { root } from "./support/server.mjs";

const folder = join(root, "build/playground");
mkdirSync(folder, { recursive: true });
const file = join(folder, "validators.mjs");
writeFileSync(file, compile(join(root, "schemas/actions")));
const { validators } = await import(pathToFileURL(file));

for (const kind of ["valid", "invalid"]) {
  const samples = join(root, "schemas/testdata", kind, "actions");
  for (const schema of readdirSync(samples).filter((name) => name.endsWith(".arguments"))) {
    test(`${kind} samples of ${schema}`, () => {
      const validate = validators[schema.replace(".arguments", "")];
      for (const sample of readdirSync(join(samples, schema))) {
        const { about, value, problem } = JSON.parse(readFileSync(join(samples, schema, sample), "utf8"));
        assert.equal(validate(value), kind === "valid", about);
        const at = ({ instancePath, keyword, params }) =>
          `${instancePath}${keyword === "required" ? `/${params.missingProperty}` : ""} ${keyword}`;
        if (problem) assert.deepEqual(validate.errors.map(at), [`${problem.pointer} ${problem.keyword}`], about);
      }
    });
  }
}
