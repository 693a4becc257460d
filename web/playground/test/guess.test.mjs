// Which schema a text is meant for: every example of the schemas is recognized.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalog, imported } from "./support/schemas.mjs";
import { root } from "./support/server.mjs";

const { guess } = await imported("exports/checks/guess.ts");
const { kinds, outlines: schemas } = await catalog();
const guessed = (text) => guess(text, kinds, schemas);

// Schemas that no text can tell apart: the first of them is taken.
const shape = ({ list, members, required, fixed, words }) => JSON.stringify([list, members, required, fixed, words]);

test("a text of JSON is recognized by its members, also when it is cut off", () => {
  const examples = join(root, "schemas/testdata/valid");
  for (const schema of schemas.filter(({ format }) => format === "json")) {
    const first = schemas.find((other) => other.format === "json" && shape(other) === shape(schema));
    const expected = first.kind || first.name;
    for (const file of readdirSync(join(examples, schema.name))) {
      const { value } = JSON.parse(readFileSync(join(examples, schema.name, file), "utf8"));
      if (Object.keys(value).length === 0) continue; // an empty list is any of them
      assert.equal(guessed(JSON.stringify(value, null, 2)), expected, `${schema.name}/${file}`);
      assert.equal(guessed(JSON.stringify(value).slice(0, -1)), expected, `${schema.name}/${file}, cut off`);
    }
  }
});

const print = ({ columns, journey }) => JSON.stringify([columns.map(({ name }) => name), journey[0]]);

test("a file of CSV is recognized by its header and its events", () => {
  const seen = [];
  for (const kind of kinds.filter(({ format }) => format === "CSV")) {
    const header = kind.columns.map(({ name }) => name).join(kind.separator);
    const same = kinds.find((other) => print(other) === print(kind));
    const event = kind.journey[0]?.event ?? "";
    assert.equal(guessed(`${header}\nx;y;${event}\n`), same.kind, kind.kind);
    const required = kind.columns.filter((column) => column.required).map(({ name }) => name);
    assert.equal(guessed(`${required.join(kind.separator)}\n${event}\n`), same.kind, `${kind.kind} without identifiers`);
    seen.push(same.kind);
  }
  assert.ok(new Set(seen).size > 5);
});

test("a payload with faults is recognized all the same", () => {
  assert.equal(guessed('{"ids": ["install_id"]}'), "legacy/userbase.request");
  assert.equal(guessed('{"ids": [], "from": "now"}'), "legacy/reachability.request");
  assert.equal(guessed('{"from": "now", "to": "soon", "events": ["push_sent"], "ids": []}'), "legacy/campaign.request");
  assert.equal(guessed('{"from": "now", "to": 5, "evnts": [], "events": ["inapp_shown"]'), "legacy/in-app-campaign.request");
  assert.equal(guessed('{"export_type": "events"}'), "profiles/events.request");
  assert.equal(guessed('{"export_type": "REACHABILITY", "atributes": []}'), "profiles/reachability.request");
  assert.equal(guessed('[{"attributes": {"$language": 5}}, {"attri'), "profiles.attributes");
});

test("a text that is like none is not recognized", () => {
  for (const text of ["", "what; is; this", "{}", "[]", '{"a": 1}', '[{"a": 1}]', "[1, 2]"]) assert.equal(guessed(text), "", text);
});
