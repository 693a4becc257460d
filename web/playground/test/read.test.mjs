// What is read out of the schemas of exports.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./support/server.mjs";

const entry = join(root, "web/playground/src/exports/api/read.ts");
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
const { read, createdIn } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

const folders = ["common", "legacy", "profiles"];
const names = folders.flatMap((folder) => readdirSync(join(root, "schemas", folder)).map((name) => `${folder}/${name}`));
const schemas = () => Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(join(root, "schemas", name), "utf8"))]));

test("a lookback may be any duration of the vocabulary", () => {
  for (const [lookback, words] of [
    ["P90D", "90 days"],
    ["P1D", "1 day"],
    ["PT12H", "12 hours"],
    ["P1DT2H30M", "1 day 2 hours 30 minutes"],
    [undefined, "snapshot"],
  ]) {
    const $defs = schemas();
    $defs["legacy/campaign.events.row.json"]["x-export"].lookback = lookback;
    const kind = read({ $defs }).kinds.find(({ kind }) => kind === "campaign.events");
    assert.equal(kind.lookback, words);
  }
});

test("an interface may speak another dialect", () => {
  const $defs = schemas();
  const said = $defs["profiles/interface.json"]["x-interface"];
  said.version = "v3";
  const { interfaces } = read({ $defs });
  assert.equal(interfaces.legacy.headers.credential, "X-Authorization");
  assert.equal(interfaces.profiles.version, "v3");
});

test("an export is looked up by the endpoint that takes its identifier, whatever it is called", () => {
  const legacy = { path: "/1.0/{api_key}/export/request/{request_id}", identifier: "request_id", inQuery: false };
  const profiles = { path: "/2.7/exports/view", identifier: "id", inQuery: true };
  assert.deepEqual(read({ $defs: schemas() }).lookups, { legacy, profiles });
  const $defs = schemas();
  const [endpoint] = $defs["profiles/export.record.json"]["x-endpoints"];
  Object.assign(endpoint, { name: "profiles.status", path: "/3/exports/status" });
  endpoint.query[0].name = "export";
  assert.deepEqual(read({ $defs }).lookups, { legacy, profiles: { path: "/3/exports/status", identifier: "export", inQuery: true } });
});

test("the identifier of a creation may be anywhere in the answer", () => {
  const $defs = schemas();
  const created = Object.values($defs).find((file) => file["x-export"]?.interface === "profiles")["x-export"].response;
  const flat = read({ $defs }).interfaces.profiles;
  assert.equal(createdIn({ [flat.identifiers.created]: "export_1" }, flat), "export_1");
  $defs[created].properties = { data: { type: "object", properties: $defs[created].properties } };
  const nested = read({ $defs }).interfaces.profiles;
  assert.equal(nested.identifiers.created, `data/${flat.identifiers.created}`);
  assert.equal(createdIn({ data: { [flat.identifiers.created]: "export_1" } }, nested), "export_1");
  for (const answer of [undefined, null, {}, { data: null }, { data: { [flat.identifiers.created]: 7 } }]) assert.equal(createdIn(answer, nested), "");
});
