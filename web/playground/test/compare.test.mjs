// Two files compared: their rows by key, and the columns in which they differ.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { imported } from "./support/schemas.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const { Keys, match, mostShown } = await imported("exports/compare/keys.ts");
const { compare } = await imported("exports/compare/differ.ts");
const { Profiler } = await imported("exports/file/profiler.ts");

const keysOf = (rows, most) => {
  const keys = new Keys(most);
  rows.forEach((row, i) => keys.take(row.slice(0, 1), row, [0, i, i + 1]));
  return keys;
};
const matched = (a, b, most) => match(keysOf(a, most), keysOf(b, most));

for (const [name, a, b, expected] of [
  ["the same rows in another order are the same", [["x", "1"], ["y", "2"]], [["y", "2"], ["x", "1"]], { only: [0, 0], same: 2, changed: 0 }],
  ["a key of one file is only there", [["x", "1"], ["y", "2"]], [["y", "2"], ["z", "3"]], { only: [1, 1], same: 1, changed: 0 }],
  ["another value is a change", [["x", "1"]], [["x", "2"]], { only: [0, 0], same: 0, changed: 1 }],
  ["another number of rows is a change", [["x", "1"]], [["x", "1"], ["x", "1"]], { only: [0, 0], same: 0, changed: 1 }],
  ["several rows of a key are compared in any order", [["x", "1"], ["x", "2"]], [["x", "2"], ["x", "1"]], { only: [0, 0], same: 1, changed: 0 }],
  ["cells do not run into each other", [["x", "1", "23"]], [["x", "12", "3"]], { only: [0, 0], same: 0, changed: 1 }],
  ["nothing is the same as nothing", [], [], { only: [0, 0], same: 0, changed: 0 }],
])
  test(`rows by key: ${name}`, () => {
    const { only, same, changed } = matched(a, b);
    assert.deepEqual({ only, same, changed }, expected);
  });

test("rows by key: where they are is said of the first ones, in the order of their file", () => {
  const rows = (n, from = 0) => Array.from({ length: n }, (_, i) => [`key ${from + i}`, "x"]);
  const { only, places } = matched(rows(1000), rows(10, 5000));
  assert.deepEqual(only, [1000, 10]);
  assert.deepEqual(places.only[0], Array.from({ length: mostShown }, (_, i) => [0, i, i + 1]));
  assert.equal(places.only[1].length, 10);
});

test("rows by key: of more keys than are kept, the same share of both files is looked at, and what is said of it is exact", () => {
  const row = (i) => [`key ${i}`, String(i % 7)];
  const a = Array.from({ length: 40_000 }, (_, i) => row(i));
  const b = a.slice(100).reverse();
  const { each, only, same, changed } = matched(a, b, 1000);
  assert.ok(each >= 40 && each <= 128, `one in ${each}`);
  assert.deepEqual([only[1], changed], [0, 0]); // a sample that was not the same of both would find some
  assert.ok(same > 250 && same <= 1000, `${same}`);
  assert.ok(only[0] <= 100);
});

const columns = (...names) => names.map((name) => ({ name, path: [name], type: name === "at" ? "date" : "text", values: [], about: "", source: "", required: true }));
const side = (names, rows) => {
  const its = columns(...names);
  const profilers = its.map(({ type }) => new Profiler(type));
  for (const row of rows) row.forEach((value, i) => profilers[i].take(value));
  return { columns: its, found: { rows: rows.length, profiles: profilers.map((one) => one.profile()) } };
};
const times = (n, ...row) => Array.from({ length: n }, () => row);

test("columns: those of both are compared, the most different first, and the others are named", () => {
  const a = side(["id", "at", "word", "gone"], [...times(6, "1", "2026-01-01", "yes", "x"), ...times(2, "2", "2026-01-02", "no", "x")]);
  const b = side(["id", "at", "word", "new"], [...times(4, "1", "2026-01-01", "yes", "x"), ...times(4, "q", "2026-01-03", "", "x")]);
  const { only, pairs } = compare(a, b);
  assert.deepEqual(only.map((list) => list.map(({ name }) => name)), [["gone"], ["new"]]);
  assert.deepEqual(pairs.map(({ column, size }) => [column.name, size > 0]), [["id", true], ["word", true], ["at", true]]);
  const facts = (pair) => pair.facts.filter(({ differs }) => differs).map(({ name, values }) => [name, ...values]);
  assert.deepEqual(facts(pairs[0]), [["Looks like", "integers", "text"]]);
  assert.deepEqual(facts(pairs[1]), [["Empty", "none", "50 %"], ["Distinct", "2", "1"]]);
  assert.deepEqual(pairs[1].top, [{ value: "yes", shares: [0.75, 1] }, { value: "no", shares: [0.25, 0] }]);
  assert.deepEqual(facts(pairs[2]), [["To", "2026-01-02", "2026-01-03"]]);
});

test("columns: a file has no difference from itself, and an empty one differs from a full one", () => {
  const rows = [...times(3, "1", "2026-01-01", "yes"), ["2", "", "no"]];
  const one = side(["id", "at", "word"], rows);
  assert.deepEqual(compare(one, side(["id", "at", "word"], [...rows].reverse())).pairs.map(({ size }) => size), [0, 0, 0]);
  assert.ok(compare(one, side(["id", "at", "word"], [])).pairs.every(({ size }) => size > 0));
});

const folder = join(root, "build/playground/views");
mkdirSync(folder, { recursive: true });
const sizes = { wide: { width: 1440, height: 900 }, middle: { width: 820, height: 1180 }, narrow: { width: 360, height: 740 } };

const header = "install_id;is_optin_push;install_date;last_start_date;smart_segment";
const userbase = (rows) => `${header}\n${rows.join("\n")}\n`;
const row = (i, segment = ["active", "inactive", "new"][i % 3]) => `"person ${i}";${i % 2 === 0};2026-01-01T00:00:00;2026-02-01T00:00:00;${segment}`;
const chosen = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

/** Makes an export that is there at once. */
async function make(page, kind, scenario) {
  await page.locator("#kind").selectOption(kind);
  if (!(await page.getByLabel(/X-Mock-Scenario/).isVisible())) await page.locator("details.fold", { hasText: "Scenario" }).locator("summary").click();
  await page.getByLabel(/X-Mock-Scenario/).fill(scenario);
  const before = await page.locator(".list li").count();
  await page.getByRole("button", { name: "Send the request" }).click();
  await eventually(async () => assert.equal(await page.locator(".list li .SUCCESS").count(), before + 1));
}

const rowsOf = async (page) => {
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download", exact: true }).click();
  let text = "";
  for await (const piece of await (await downloading).createReadStream()) text += piece;
  return text.trimEnd().split("\n").slice(1);
};

onPage("two files", (given) => {
  test("of one's own are compared: rows, columns, and what only one of them has", async () => {
    const page = await given.open({ hash: "#exports/validate", ready: false });
    const a = Array.from({ length: 300 }, (_, i) => row(i));
    const b = [...a.slice(60).map((line, i) => (i === 0 ? row(60, "new") : line)), row(300), row(301)];
    await page.getByLabel("A file to check", { exact: true }).setInputFiles(chosen("before.csv", userbase(a)));
    await page.getByLabel("The other file", { exact: true }).setInputFiles(chosen("after.csv", userbase(b)));
    const both = page.locator(".comparison");
    await both.getByText("60 only in A, 2 only in B.").waitFor();
    await both.getByText("239 keys alike in both, 1 with other values.").waitFor();
    assert.equal(await both.getByLabel("Match them by").locator("option:checked").innerText(), "install_id");
    assert.deepEqual(await both.locator(".sides td").allInnerTexts(), ["300", "19.5 kB", "242", "15.8 kB"]);
    const fold = (title) => both.locator("details", { hasText: title });
    await fold("Only in A").getByText("60, of which the first 50 are shown").click();
    await eventually(async () => assert.equal(await fold("Only in A").locator("tbody tr").count(), 50));
    assert.match(await fold("Only in A").locator("tbody tr").first().innerText(), /^person 0\t/);
    await fold("Only in B").locator("summary").click();
    await eventually(async () =>
      assert.deepEqual(await fold("Only in B").locator("tbody tr td:first-child").allInnerTexts(), ["person 300", "person 301"]),
    );
    await fold("With other values").locator("summary").click();
    await eventually(async () => assert.deepEqual(await fold("With other values").locator("tbody td").allInnerTexts(), ["person 60", "smart_segment", "active", "new"]));
    await both.getByLabel("Match them by").selectOption({ label: "the whole row" });
    await both.getByText("61 only in A, 3 only in B.").waitFor();
    const column = both.getByRole("table", { name: "smart_segment, in A and B" });
    assert.match(await column.locator("tr", { hasText: "active" }).first().innerText(), /^active\s+33 %\s+33 %$/);

    await page.getByLabel("The other file", { exact: true }).setInputFiles(chosen("same.csv", userbase([...a].reverse())));
    await both.getByText("The same keys in both.").waitFor();
    await both.getByText("all 5 are alike").waitFor();
    await page.getByRole("button", { name: "Stop comparing" }).click();
    await both.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "A file of yours");
  });

  test("of which one is no file of this kind are compared as far as they have columns in common", async () => {
    const page = await given.open({ hash: "#exports/validate", ready: false });
    await page.getByLabel("A file to check", { exact: true }).setInputFiles(chosen("before.csv", userbase([row(0)])));
    await page.getByLabel("The other file", { exact: true }).setInputFiles(chosen("other.csv", "smart_segment;loyalty\nactive;7\n"));
    const both = page.locator(".comparison");
    await both.getByText("Only in A: install_id, is_optin_push, install_date, last_start_date").waitFor();
    await both.getByText("Only in B: loyalty").waitFor();
    await both.getByText("The same rows in both.").waitFor();
  });

  test("that the server made, before and after a scenario, are compared as they are", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await make(page, "campaign.events", "progress=now");
    const before = await rowsOf(page);
    await page.getByText("no other export of this kind yet").waitFor({ state: "attached" });
    await make(page, "campaign.events", "progress=now; rows=5");
    const after = await rowsOf(page);
    await page.getByRole("combobox", { name: "Compare with" }).selectOption({ index: 1 });
    const both = page.locator(".comparison");
    const only = (one, other) => new Set(one.filter((line) => !other.includes(line))).size;
    await both.getByText(`${only(after, before)} only in A, ${only(before, after)} only in B.`).waitFor();
    assert.deepEqual(await both.locator(".sides td:nth-child(2)").allInnerTexts(), [after.length, before.length].map((n) => n.toLocaleString("en")));
    await both.locator(".u-wrap").waitFor();
  });

  test("that are parts of one export are compared, and a part with another export", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await make(page, "profiles.attributes", "progress=now; rows=40");
    await page.getByText("40 rows").first().waitFor();
    await make(page, "profiles.attributes", "progress=now");
    await page.getByText(/ in \d+ parts/).waitFor();
    const id = await page.locator(".ids code").innerText();
    const { parts, rows } = await (await fetch(`${given.origin}/_mock/exports/${id}/index`)).json();
    assert.ok(parts.length > 2);
    const shown = (...numbers) =>
      eventually(async () => assert.deepEqual(await page.locator(".sides td:nth-child(2)").allInnerTexts(), numbers.map((n) => n.toLocaleString("en"))));
    const list = (name) => page.getByRole("combobox", { name, exact: true });
    await list("Compare with").selectOption({ label: "Another part of this file" });
    await shown(parts[0].rows, parts[1].rows);
    const said = page.locator(".matched .answer");
    await said.getByText(`${parts[0].rows} only in A, ${parts[1].rows} only in B.`).waitFor();
    await page.locator("details", { hasText: "Only in B" }).locator("summary").click();
    const link = new URL(parts[1].link);
    const second = await (await fetch(given.origin + link.pathname + link.search)).json();
    await page.locator("details", { hasText: "Only in B" }).locator("tbody tr", { hasText: second[0].identifiers.profile_id }).waitFor();
    await list("Of which").selectOption("part 3");
    await shown(parts[0].rows, parts[2].rows);
    await list("Compare").selectOption("part 3");
    await said.getByText(/^The same/).waitFor();
    await list("Compare").selectOption("the whole file");
    await shown(rows, parts[2].rows);
    await said.getByText(`${(rows - parts[2].rows).toLocaleString("en")} only in A, 0 only in B.`).waitFor();
    await list("Compare").selectOption("part 1");
    await list("Compare with").selectOption({ index: 2 });
    await shown(parts[0].rows, 40);
  });

  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      test(`are compared by everybody: ${colorScheme}, ${size}`, async () => {
        const page = await given.open({ viewport, colorScheme, hash: "#exports", ready: false });
        await make(page, "campaign.events", "progress=now");
        await make(page, "campaign.events", "progress=now; rows=40");
        await page.getByRole("combobox", { name: "Compare with" }).selectOption({ index: 1 });
        const both = page.locator(".comparison");
        await both.locator(".u-wrap").waitFor();
        await both.locator("details", { hasText: "Only in B" }).locator("summary").click();
        await both.locator("details", { hasText: "Only in B" }).locator("tbody tr").first().waitFor();
        await page.screenshot({ path: join(folder, `compare-${size}-${colorScheme}.png`), fullPage: true });
        await eventually(async () => assert.deepEqual(await faults(page), []));
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wider <= 0, `${wider} pixels too wide`);
      });
    }
  }
}, ["--profiles", "3000", "--part-size", "200000"]);
