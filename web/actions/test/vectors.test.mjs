// Replays the vectors of the actions in a browser and in Node: actions/testdata/vectors and, when it is set, the directory REHEARSAL_VECTORS.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { loadActions } from "@rehearsal/actions";
import { createTestHost } from "@rehearsal/actions/testing";
import { hostOf, runVectors } from "./page/vectors.js";
import { engine, inBrowser } from "./support/browser.mjs";
import { packageFolder } from "./support/server.mjs";

const directories = [join(packageFolder, "../../actions/testdata/vectors"), process.env.REHEARSAL_VECTORS].filter(Boolean);

const files = directories.flatMap((directory) => {
  const names = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith(".json"));
  assert.ok(names.length > 0, `${directory} holds no vector file`);
  return names.sort().map((name) => ({ name: relative(packageFolder, join(directory, name)), path: join(directory, name) }));
});

// Once is enough, whatever the browser.
const inNode = engine === "chromium" ? describe : () => {};

inNode("in Node, on the host for tests", () => {
  for (const variant of ["plain", "slow"]) {
    for (const file of files) {
      test(`${file.name}: ${variant}`, async (t) => {
        const cases = await runVectors((await loadActions()).create, hostOf(createTestHost), readFileSync(file.path, "utf8"), variant);
        assert.ok(cases.length > 0);
        for (const { about, problems } of cases) {
          await t.test(about, () => assert.deepEqual(problems, []));
        }
      });
    }
  }
});

inBrowser("vectors", {}, (given) => {
  for (const variant of ["plain", "outside", "slow", "watched", "early"]) {
    test(`handlers and host: ${variant}`, async (t) => {
      const page = await given.page("/");
      for (const file of files) {
        await t.test(file.name, async (t) => {
          const cases = await page.evaluate(
            async ([text, variant]) => {
              const modules = [import("/dist/index.js"), import("/page/vectors.js"), import("/dist/testing.js")];
              const [{ createActions, loadActions }, { hostOf, runVectors }, { createTestHost }] = await Promise.all(modules);
              return runVectors(variant === "early" ? createActions : (await loadActions()).create, hostOf(createTestHost), text, variant);
            },
            [readFileSync(file.path, "utf8"), variant],
          );
          assert.ok(cases.length > 0);
          for (const { about, problems } of cases) {
            await t.test(about, () => assert.deepEqual(problems, []));
          }
        });
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
});
