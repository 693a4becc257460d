// Checks what npm run build made: the module holds what the files hold, and the types mean what they must.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { keywords, schemas } from "@rehearsal/schemas";
import userbase from "@rehearsal/schemas/legacy/userbase.row.json" with { type: "json" };
import { readSchemas, root, vocabularyKeywords } from "./files.mjs";

const files = readSchemas();
assert.deepEqual(schemas, Object.fromEntries(files));
assert.deepEqual(keywords, vocabularyKeywords(files));
assert.deepEqual(userbase, files.get("legacy/userbase.row.json"));

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"];
execFileSync(process.execPath, [compiler, ...options, join(root, "npm", "check.ts")], { stdio: "inherit" });
console.log(`npm: the module and the types are good`);
