// The schema files, and Ajv over them.
"use strict";

const schemas = require("./schemas.json");

// The formats of the table, which mean the same in every language: patterns that a text has to match as a whole.
const formats = Object.fromEntries(
  Object.entries(require("./formats.json")).map(([name, { patterns }]) => {
    const whole = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`, "u"));
    return [name, (text) => whole.every((each) => each.test(text))];
  }),
);

const base = "https://rehearsal.example/schemas/";
const keywords = Object.keys(schemas["vocabulary.json"].properties);

const files = new Map();
for (const [file, { "x-export": made }] of Object.entries(schemas)) {
  for (const name of [file, file.replace(/\.json$/, ""), made?.kind]) files.set(name, file);
}

let ajv;

// Ajv is loaded by the first who validates: others want the files alone.
function openAjv() {
  const Ajv = require("ajv/dist/2020.js");
  const opened = new Ajv({ strict: true, allErrors: true });
  require("ajv-formats")(opened);
  for (const [name, holds] of Object.entries(formats)) opened.addFormat(name, holds);
  opened.addVocabulary(keywords);
  opened.addSchema(Object.values(schemas));
  return opened;
}

function validator(name) {
  if (!files.has(name)) {
    const named = JSON.stringify(name) ?? String(name);
    throw new RangeError(`there is no schema ${named}: name an export, such as userbase, or a schema file, such as legacy/userbase.row`);
  }
  ajv ??= openAjv();
  return ajv.getSchema(base + files.get(name));
}

exports.base = base;
exports.formats = formats;
exports.keywords = keywords;
exports.schemas = schemas;
exports.validator = validator;
