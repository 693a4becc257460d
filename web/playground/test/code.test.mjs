// Calls as code: what is copied is run, or is what the tests of mobile compile.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { choose, register, showPane, type } from "./support/person.mjs";
import { root } from "./support/server.mjs";

const awkward = { t: "größe '1' $x \"🎭\" \\ \n", n: [1, -2.5, 1e21, 9007199254740993n, null, true], o: {} };
const inJson = JSON.stringify(awkward, (_, value) => (typeof value === "bigint" ? `bigint ${value}` : value)).replace(/"bigint (\d+)"/, "$1");

/** Sets a call up. */
const calls = {
  // One that a built-in does, and a push caused.
  built: async (page) => {
    await choose(page, "service.user.event");
    await type(page, `{"e": "seen", "l": null, "t": ["a"], "a": ${inJson}}`);
    await page.getByRole("radio", { name: "A push" }).check();
    await page.getByLabel("Payload of the push message").fill('{"campaign": "spring $1"}');
  },
  // One of the person's own.
  own: async (page) => {
    await register(page, "open-basket");
    await type(page, `{"given": ${inJson}}`);
  },
};

/** What the page shows in a language. */
async function shown(page, language) {
  await showPane(page, "Code");
  await page.locator(".call .code").getByRole("radio", { name: language, exact: true }).check();
  return page.getByLabel(`The call in ${language}`, { exact: true }).innerText();
}

/** Where a language is run, and how; nothing where it is compiled by the tests of mobile. */
const run = {
  JavaScript: ["call.mjs", "node"],
  Go: ["call.go", "go", "run"],
  curl: ["call.sh", "sh"],
  Python: ["call.py", "python3"],
};
const compiled = { Kotlin: "kt", Swift: "swift", Java: "java" };

const says = {
  built: { JavaScript: /status: 'unsupported'/, Go: /^performed <nil>/, curl: /"faults":\s*0,/, Python: /"faults":\s*0,/ },
  own: { JavaScript: /value: 'hello from open-basket'/, Go: /^performed hello from open-basket/, curl: /"faults":\s*0,/, Python: /"faults":\s*0,/ },
};

onPage("calls as code", (given) => {
  for (const [name, set] of Object.entries(calls)) {
    for (const [language, [file, program, ...flags]] of Object.entries(run))
      test(`${name}, run: ${language}`, { timeout: 300_000 }, async (t) => {
        try {
          execFileSync("sh", ["-c", 'command -v "$0"', language === "curl" ? "curl" : program]);
        } catch {
          if (process.env.REQUIRE_ALL) throw new Error(`there is no ${program}`);
          return t.skip(`there is no ${program}`);
        }
        const page = await given.open();
        await set(page);
        const text = await shown(page, language);
        // Inside the repository, where Go finds the module; JavaScript finds the package beside the file.
        mkdirSync(join(root, "build/playground"), { recursive: true });
        const folder = mkdtempSync(join(root, "build/playground/code-"));
        try {
          symlinkSync(join(root, "web/node_modules"), join(folder, "node_modules"));
          writeFileSync(join(folder, file), text);
          assert.match(execFileSync(program, [...flags, join(folder, file)], { cwd: folder, encoding: "utf8" }), says[name][language]);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    for (const [language, ending] of Object.entries(compiled))
      test(`${name}, as mobile compiles it: ${language}`, async () => {
        const page = await given.open();
        await set(page);
        const text = `${await shown(page, language)}\n`;
        const file = join(root, "mobile/testdata/page", name, `Call.${ending}`);
        if (process.env.WRITE_SHOWN) {
          mkdirSync(join(root, "mobile/testdata/page", name), { recursive: true });
          writeFileSync(file, text);
        }
        assert.equal(text, readFileSync(file, "utf8"));
      });
  }
});
