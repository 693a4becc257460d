// Finds and reads the schema files and the samples in this folder.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const base = "https://rehearsal.example/schemas/";
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const folders = ["actions", "common", "data", "legacy", "mock", "profiles"];

export const readJSON = (path) => JSON.parse(readFileSync(path, "utf8"));

function jsonFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

// Every schema file by its path, such as legacy/userbase.row.json. The files of the overlay directory, if one
// is given, replace those of the same path or come in addition.
export function readSchemas(overlay) {
  const schemas = new Map([["vocabulary.json", readJSON(join(root, "vocabulary.json"))]]);
  for (const folder of folders) {
    for (const path of jsonFiles(join(root, folder))) {
      schemas.set(relative(root, path).split(sep).join("/"), readJSON(path));
    }
  }
  for (const path of overlay ? jsonFiles(overlay) : []) {
    schemas.set(relative(overlay, path).split(sep).join("/"), readJSON(path));
  }
  return schemas;
}

// The samples of testdata/valid or testdata/invalid: {file, schema, about, value, problem}.
export function readSamples(kind) {
  const folder = join(root, "testdata", kind);
  return jsonFiles(folder).map((path) => {
    const file = relative(folder, path).split(sep).join("/");
    return { file, schema: dirname(file) + ".json", ...readJSON(path) };
  });
}

// The keywords of our vocabulary, x-export and so on.
export function vocabularyKeywords(schemas) {
  return Object.keys(schemas.get("vocabulary.json").properties);
}
