// Replays the vectors of the actions in a browser: actions/testdata/vectors and, when it is set, the directory REHEARSAL_VECTORS.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder } from "./support/server.mjs";

const directories = [join(packageFolder, "../../actions/testdata/vectors"), process.env.REHEARSAL_VECTORS].filter(Boolean);

const files = directories.flatMap((directory) => {
  const names = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith(".json"));
  assert.ok(names.length > 0, `${directory} holds no vector file`);
  return names.sort().map((name) => ({ name: relative(packageFolder, join(directory, name)), path: join(directory, name) }));
});

inBrowser("vectors", {}, (given) => {
  for (const variant of ["plain", "outside", "slow", "watched", "early"]) {
    test(`handlers and host: ${variant}`, async (t) => {
      const page = await given.page("/");
      for (const file of files) {
        await t.test(file.name, async (t) => {
          const cases = await page.evaluate(
            async ([text, variant]) => {
              const [{ createActions, loadActions }, { runVectors }] = await Promise.all([import("/dist/index.js"), import("/page/vectors.js")]);
              return runVectors(variant === "early" ? createActions : (await loadActions()).create, text, variant);
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
