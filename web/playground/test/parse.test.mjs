// Rows out of the text of files, the awkward ones included.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { seed } from "../../actions/test/support/level.mjs";
import { build } from "esbuild";
import { root } from "./support/server.mjs";

const entry = join(root, "web/playground/src/exports/file/parse.ts");
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
const { cellOf, columnsOfHeader, records, rowsOf, splitLine } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
);

const csv = { format: "CSV", separator: ";", columns: [] };
const json = { format: "JSON", separator: "" };
const columns = [{ path: ["a"] }, { path: ["b", "c"] }];

test("lines of CSV are split where they should be", () => {
  for (const [line, cells] of [
    ["a;b;c", ["a", "b", "c"]],
    ["", [""]],
    [";", ["", ""]],
    ["a;", ["a", ""]],
    ['"a;b";c', ["a;b", "c"]],
    ['"say ""hi""";x', ['say "hi"', "x"]],
    ['"";""', ["", ""]],
    ['a"b;c', ['a"b', "c"]],
    ['"never closed;x', ["never closed;x"]],
  ])
    assert.deepEqual(splitLine(line, ";"), cells, line);
});

test("rows of CSV may have line ends in quotes, and CRLF", () => {
  assert.deepEqual([...records('a;b\r\n"c\nd";e\r\n', ";")], [["a", "b"], ["c\nd", "e"]]);
  assert.deepEqual(rowsOf("a;b\nc;d", csv, []), [["a", "b"], ["c", "d"]]);
  assert.deepEqual(rowsOf("", csv, []), []);
});

test("what was written is read, whatever it is", () => {
  let state = seed();
  const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
  const pieces = ['"', ";", "\n", "a", "é", "🎭", " ", ""];
  for (let round = 0; round < 2000; round++) {
    const rows = Array.from({ length: 1 + random(4) }, () =>
      Array.from({ length: 2 }, () => Array.from({ length: random(5) }, () => pieces[random(pieces.length)]).join("")),
    );
    const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";")).join("\n");
    assert.deepEqual([...records(text, ";")], rows, text);
  }
});

test("items of JSON are read from any whole piece of a file", () => {
  const rows = [
    ["1", ""],
    ["x", "true"],
  ];
  for (const text of ['{"a":1},\n{"a":"x","b":{"c":true}}', '[\n{"a":1},\n{"a":"x","b":{"c":true}}\n]\n', ',\n{"a":1},\n{"a":"x","b":{"c":true}}\n]\n'])
    assert.deepEqual(rowsOf(text, json, columns), rows, text);
  assert.deepEqual(rowsOf("\n]\n", json, columns), []);
});

test("a file that ends in the middle of a row shows what is there", () => {
  assert.deepEqual(rowsOf('[\n{"a":1},\n{"a":"x","b":{"c', json, columns), [["1", ""], ['{"a":"x","b":{"c']]);
});

test("cells show lists of words as words, and everything else as it is", () => {
  const item = { list: ["a", "b"], objects: [{ x: 1 }], nothing: null, text: "t", flag: false };
  const shown = ["list", "objects", "nothing", "text", "flag", "missing"].map((name) => cellOf(item, [name]));
  assert.deepEqual(shown, ["a, b", '[{"x":1}]', "null", "t", "false", ""]);
});

test("columns that no schema knows are shown all the same", () => {
  const known = { name: "a", path: ["a"], about: "Known.", type: "text", values: [] };
  const found = columnsOfHeader("a;b\n", { ...csv, columns: [known] });
  assert.deepEqual(found.map(({ name, about }) => [name, about]), [["a", "Known."], ["b", "Not in the schema."]]);
});
