// Checks export files with Ajv, independently of the Go code:
//
//   node rows.mjs [--schemas DIRECTORY] [--json] SCHEMA FILE...
//
// SCHEMA is an export (userbase, profiles.events) or a schema file (legacy/userbase.row). CSV is read as a
// stream; JSON as a whole. Prints the first faults and one summary line for each file (with --json, one JSON
// object for each instead). Exit status: 0 all good, 1 a fault, 2 a wrong call.

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { readCSV } from "./csv.mjs";
import { base, openSchemas, problemOf } from "./validator.mjs";

const shownFaults = 10;

function resolve(schemas, name) {
  for (const [file, schema] of schemas) {
    if (schema["x-export"]?.kind === name || file === name || file === `${name}.json`) return file;
  }
  throw new Error(`there is no schema ${name}`);
}

// The columns of a row schema in order, and those that must be there.
function layout(schema) {
  const { separator, columns } = schema["x-csv"];
  const more = Object.keys(schema.properties).filter((name) => !columns.includes(name));
  return { separator, columns: [...columns, ...more], required: schema.required ?? [] };
}

function headerFaults(header, { columns, required }) {
  const faults = [];
  for (const [i, name] of header.entries()) {
    if (!columns.includes(name)) faults.push(`the column ${JSON.stringify(name)} is not known`);
    if (header.indexOf(name) < i) faults.push(`the column ${name} comes twice`);
  }
  for (const name of required) {
    if (!header.includes(name)) faults.push(`the column ${name} is missing`);
  }
  const places = header.map((name) => columns.indexOf(name));
  if (places.some((place, i) => i > 0 && place < places[i - 1])) faults.push(`the columns are in another order than ${columns.join(", ")}`);
  return faults;
}

async function checkCSV(path, schema, validate, fault) {
  const form = layout(schema);
  let header;
  let rows = 0;
  for await (const { line, cells } of readCSV(createReadStream(path, "utf8"), form.separator)) {
    if (!header) {
      header = cells;
      const faults = headerFaults(header, form);
      for (const message of faults) fault(line, message);
      if (faults.length > 0) return rows;
      continue;
    }
    rows++;
    if (cells.length !== header.length) {
      fault(line, `the row has ${cells.length} cells, the header ${header.length}`);
      continue;
    }
    const row = Object.fromEntries(header.map((name, i) => [name, cells[i]]));
    if (!validate(row)) for (const error of validate.errors) fault(line, describe(error));
  }
  if (!header) fault(1, "the file is empty");
  return rows;
}

async function checkJSON(path, validate, fault) {
  const value = JSON.parse(await readFile(path, "utf8"));
  if (!validate(value)) for (const error of validate.errors) fault(0, describe(error));
  return Array.isArray(value) ? value.length : 1;
}

function describe(error) {
  const { pointer, keyword } = problemOf(error);
  return `${pointer || "the value"}: ${keyword}: ${error.message}`;
}

async function checkFile(path, schema, validate) {
  const faults = [];
  let count = 0;
  const fault = (line, message) => {
    count++;
    if (faults.length < shownFaults) faults.push(line > 0 ? `line ${line}: ${message}` : message);
  };
  let rows = 0;
  try {
    rows = schema["x-csv"] ? await checkCSV(path, schema, validate, fault) : await checkJSON(path, validate, fault);
  } catch (error) {
    fault(0, error.message);
  }
  return { file: path, schema: schema.$id.slice(base.length), rows, faults: count, first: faults };
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { schemas: { type: "string" }, json: { type: "boolean" } },
  });
  const [name, ...files] = positionals;
  if (!name || files.length === 0) throw new Error("usage: node rows.mjs [--schemas DIRECTORY] [--json] SCHEMA FILE...");
  const { schemas, validator } = openSchemas(values.schemas);
  const file = resolve(schemas, name);
  let bad = false;
  for (const path of files) {
    const result = await checkFile(path, schemas.get(file), validator(file));
    bad ||= result.faults > 0;
    if (values.json) {
      console.log(JSON.stringify(result));
      continue;
    }
    for (const line of result.first) console.log(`${path}: ${line}`);
    console.log(`${path}: ${result.rows} rows, ${result.faults} faults against ${file}`);
  }
  return bad ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`rows: ${error.message}`);
  process.exitCode = 2;
}
