// What else runs a team's tests than Node itself: Vitest, Jest, Bun and Deno, with the package installed of its tarball.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { packageFolder } from "./support/server.mjs";

// Some 400 megabytes are not for everybody's machine.
if (!process.env.REQUIRE_ALL) {
  test("runners", { skip: "they are installed where everything is required: set REQUIRE_ALL" }, () => {});
} else {
  describe("a team's test passes", { timeout: 600_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "runners-"));
    const npm = (args, cwd = folder) => execFileSync("npm", [...args, "--ignore-scripts"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
    const node = (script, ...args) => run(process.execPath, join(folder, "node_modules", script), ...args);

    before(() => {
      cpSync(join(packageFolder, "test/runners"), folder, { recursive: true });
      npm(["ci", "--prefer-offline", "--no-audit", "--no-fund"]);
      const packed = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], packageFolder));
      const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
      npm(["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename)]);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    /** The program of this machine's kind, which is in a package of its own. */
    function executable(scope, ...path) {
      const [kind] = readdirSync(join(folder, "node_modules", scope));
      const file = join(folder, "node_modules", scope, kind, ...path);
      chmodSync(file, 0o755); // the scripts that would do that do not run
      return file;
    }

    test("in Vitest", () => void node("vitest/vitest.mjs", "run", "share.test.js"));

    for (const environment of ["node", "jsdom"]) {
      test(`in Jest, with the environment ${environment}`, () => void node("jest/bin/jest.js", `--env=${environment}`, "--testMatch=**/share.cjs", "--transform={}"));
    }

    test("in Bun", () => assert.equal(run(executable("@oven", "bin", "bun"), "plain.mjs"), "passed\n"));

    test("in Deno", () => assert.equal(run(executable("@deno", "deno"), "run", "--allow-all", "--node-modules-dir=manual", "plain.mjs"), "passed\n"));
  });
}
