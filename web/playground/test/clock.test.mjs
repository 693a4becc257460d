// No test depends on the day it runs on: servers start at a fixed time, and pages read the time of their server.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { now } from "./support/clock.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const all = ["web/playground/test", "docs/test", "web/actions/test"];
// The pages of web/actions/test keep the real clock: they show no date and ask no server of the program for one.
const ofServer = all.slice(0, 2);

/** The only places that may do something, each with the call that sets the time there. */
const places = [
  { what: /"serve"/, name: "starts the program", folders: all, only: { "web/playground/test/support/server.mjs": /"--now", now\b/ } },
  {
    what: /\.newContext\(/,
    name: "opens a context",
    folders: ofServer,
    only: { "web/playground/test/support/clock.mjs": /addInitScript\(moveDate, / },
  },
  {
    what: /([bB]rowser|launched)\.newPage\(/,
    name: "opens a page without a context",
    folders: ofServer,
    only: { "web/playground/test/support/anywhere.mjs": /\(\$\{moveDate\}\)/ },
  },
];

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".mjs") && name !== "clock.test.mjs")
    .map((name) => [`${folder}/${name.replaceAll("\\", "/")}`, readFileSync(join(root, folder, name), "utf8")]);

for (const { what, name, folders, only } of places)
  test(`what ${name} sets the time`, () => {
    const found = folders.flatMap(sources).filter(([, text]) => what.test(text));
    assert.deepEqual(found.map(([file]) => file).sort(), Object.keys(only));
    for (const [file, text] of found) assert.match(text, only[file]);
  });

onPage("the time of a page", (given) => {
  const near = (time, other) => Math.abs(time - other) < 3_600_000; // a busy machine takes its time, and the real clock is months away

  test("is that of the server, which began at a fixed one", async () => {
    const page = await given.open({ hash: "#exports", ready: false });
    const server = Date.parse((await (await fetch(`${given.origin}/_mock/clock`)).json()).now);
    const times = await page.evaluate(() => [Date.now(), new Date().getTime(), Date.parse(Date())]);
    for (const time of [server, ...times]) assert.ok(near(time, Date.parse(now)), `${new Date(time)}`);
    assert.deepEqual(await page.evaluate(() => [new Date(5).getTime(), new Date() instanceof Date]), [5, true]);
  });
});
