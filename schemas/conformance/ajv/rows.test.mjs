import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readCSV } from "./csv.mjs";

const program = fileURLToPath(new URL("rows.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rows-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

const header = "install_id;custom_id;event_type";

// Runs the program over files with the given texts.
function run(schema, ...texts) {
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}.data`);
    writeFileSync(file, text);
    return file;
  });
  const { status, stdout } = spawnSync(process.execPath, [program, "--json", schema, ...files], { encoding: "utf8" });
  return { status, results: stdout.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)) };
}

const cases = [
  { about: "a good CSV file", schema: "campaign.ids", text: `${header}\na;b;push_sent\n"a;""b";;push_opened\n`, rows: 2, faults: [] },
  { about: "line ends of Windows", schema: "campaign.ids", text: `${header}\r\na;b;push_sent\r\n`, rows: 1, faults: [] },
  { about: "a wrong cell", schema: "campaign.ids", text: `${header}\na;b;push_open\n`, rows: 1, faults: ["line 2: /event_type: enum"] },
  { about: "a missing cell", schema: "campaign.ids", text: `${header}\na;b\n`, rows: 1, faults: ["line 2: the row has 2 cells"] },
  { about: "an unknown column", schema: "campaign.ids", text: "device;event_type\n", rows: 0, faults: ['line 1: the column "device"'] },
  { about: "a missing column", schema: "campaign.ids", text: "install_id\n", rows: 0, faults: ["line 1: the column event_type is missing"] },
  { about: "another order", schema: "campaign.ids", text: "event_type;install_id\n", rows: 0, faults: ["line 1: the columns are in another order"] },
  { about: "an open quote", schema: "campaign.ids", text: `${header}\n"a;b\n`, rows: 0, faults: ["line 2: a quoted cell"] },
  { about: "nothing", schema: "campaign.ids", text: "", rows: 0, faults: ["line 1: the file is empty"] },
  { about: "a good JSON file", schema: "profiles.events", text: "[]", rows: 0, faults: [] },
  { about: "a wrong member", schema: "profiles.attributes", text: '[{"attributes":{},"identifiers":{"profile_id":"x"}}]', rows: 1, faults: ["/0/identifiers/profile_id: pattern"] },
  { about: "no JSON", schema: "profiles.events", text: "[", rows: 0, faults: ["Unexpected end"] },
];

for (const { about, schema, text, rows, faults } of cases) {
  test(about, () => {
    const { status, results } = run(schema, text);
    assert.equal(status, faults.length > 0 ? 1 : 0);
    assert.equal(results[0].rows, rows);
    assert.equal(results[0].faults, faults.length);
    for (const [i, start] of faults.entries()) {
      assert.ok(results[0].first[i].startsWith(start), `${results[0].first[i]} does not begin with ${start}`);
    }
  });
}

test("several files", () => {
  const { status, results } = run("campaign.ids", `${header}\n`, "install_id\n");
  assert.equal(status, 1);
  assert.deepEqual(results.map((result) => result.faults), [0, 1]);
});

test("a wrong call", () => {
  assert.equal(run("nothing", "x").status, 2);
});

test("chunks may end anywhere", async () => {
  const text = `${header}\r\n"a\n""b""";;push_sent\r\nc;d;e`;
  const rows = [];
  for await (const { line, cells } of readCSV([...text], ";")) rows.push([line, ...cells]);
  assert.deepEqual(rows, [[1, "install_id", "custom_id", "event_type"], [2, 'a\n"b"', "", "push_sent"], [4, "c", "d", "e"]]);
});
