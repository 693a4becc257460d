// What is in a column, at a glance: how full it is, how many values it has, which are frequent, and from when to when.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { eventually } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const entry = join(root, "web/playground/src/exports/file/profiler.ts");
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
const { Profiler, mostValues } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

const profile = (type, values) => {
  const profiler = new Profiler(type);
  for (const value of values) profiler.take(value);
  return profiler.profile();
};

for (const [name, type, values, expected] of [
  ["counts values, and leaves out what is empty", "text", ["a", "", "b", undefined, "a"], { filled: 3, counts: new Map([["a", 2], ["b", 1]]), span: undefined }],
  ["knows the span of dates", "date", ["2026-03-01", "", "2026-01-31", "2026-02-01"], { filled: 3, counts: 3, span: ["2026-01-31", "2026-03-01"] }],
  ["knows the span of numbers, which is not that of their texts", "integer", ["10", "9", "-2"], { filled: 3, counts: 3, span: ["-2", "10"] }],
  ["has nothing to say of an empty column", "date", ["", undefined], { filled: 0, counts: 0, span: undefined }],
])
  test(`a profile ${name}`, () => {
    const found = profile(type, values);
    assert.deepEqual({ ...found, counts: typeof expected.counts === "number" ? found.counts.size : found.counts }, expected);
  });

test("a profile counts values up to a limit, and not one more", () => {
  const values = Array.from({ length: mostValues }, (_, i) => String(i));
  assert.equal(profile("text", [...values, ...values]).counts.size, mostValues);
  const more = profile("text", [...values, "one more", "0"]);
  assert.deepEqual([more.counts, more.filled], [undefined, mostValues + 2]);
});

onPage("the columns of a file", (given) => {
  test("are profiled as the file has them", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    await page.locator("#kind").selectOption("campaign.events");
    await page.getByRole("button", { name: "Send the request" }).click();
    const column = page.locator(".columns > ul > li").filter({ has: page.locator(".name code", { hasText: /^event_type$/ }) });
    await column.locator(".contents").first().waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    let text = "";
    for await (const piece of await (await downloading).createReadStream()) text += piece;
    const [head, ...lines] = text.trimEnd().split("\n");
    const at = head.split(";").indexOf("event_type");
    const types = lines.map((line) => line.split(";")[at]);
    await eventually(async () =>
      assert.equal(await column.locator(".contents").first().innerText(), `Always there, ${new Set(types).size} distinct`),
    );
  });
});
