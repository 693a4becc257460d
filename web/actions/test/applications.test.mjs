// Fresh applications in Next.js, Parcel and Astro, made of the tarball outside of the clone, built, and run in every engine under a strict policy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { transformSync } from "esbuild";
import { inBrowser } from "./support/browser.mjs";
import { packageFolder, strictPolicyOf } from "./support/server.mjs";

const folder = process.env.REQUIRE_ALL ? mkdtempSync(join(tmpdir(), "applications-")) : "";
const source = readFileSync(join(packageFolder, "test/bundled/main.ts"), "utf8");

/** Each application: where its script is, what builds it, and where the site is then. */
const applications = {
  next: { script: "main.js", build: ["next", "build"], site: "out" },
  parcel: { script: "main.js", build: ["parcel", "build", "index.html", "--dist-dir", "dist", "--public-url", "/parcel/", "--no-cache", "--no-autoinstall"], site: "dist" },
  astro: { script: "src/main.js", build: ["astro", "build"], site: "dist" },
};

const site = (name) => join(folder, name, applications[name].site);
const page = (name) => () => {
  const body = readFileSync(join(site(name), "index.html"), "utf8");
  return { type: "text/html", body, headers: { "content-security-policy": strictPolicyOf(body) } };
};
const names = Object.keys(applications);
const options = {
  folders: Object.fromEntries(names.map((name) => [name, site(name)])),
  routes: Object.fromEntries(names.map((name) => [`/${name}/`, page(name)])),
};

/** Installs the bundlers that the lock file names, and the tarball of the package. */
function install() {
  cpSync(join(packageFolder, "test/applications"), folder, { recursive: true });
  const run = (args, cwd) => execFileSync("npm", [...args, "--ignore-scripts"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run(["ci", "--prefer-offline"], folder);
  const packed = JSON.parse(run(["pack", "--json", "--pack-destination", folder], packageFolder));
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  run(["install", "--prefer-offline", join(folder, filename)], folder);
}

// Half a gigabyte is not for everybody's machine.
if (!process.env.REQUIRE_ALL) {
  test("applications", { skip: "the bundlers are installed where everything is required: set REQUIRE_ALL" }, () => {});
} else {
  describe("applications", { timeout: 1_200_000 }, () => {
    before(install);
    after(() => rmSync(folder, { recursive: true, force: true }));

    inBrowser("of bundlers that take long to install", options, (given) => {
      for (const [name, { script, build }] of Object.entries(applications)) {
        test(`${name} finds the program by itself, and the application runs in every engine`, async () => {
          writeFileSync(join(folder, name, script), transformSync(source, { loader: "ts" }).code);
          const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };
          execFileSync("npx", ["--no-install", ...build], { cwd: join(folder, name), env, stdio: ["ignore", "pipe", "pipe"] });
          await given.everywhere(`/${name}/`, async (page) => {
            await page.waitForFunction(() => !["loading", ""].includes(document.title));
            assert.equal(await page.title(), "performed Say-Hello Ada (manual) false /t true");
            assert.deepEqual(page.faults, []);
          });
        });
      }
    });
  });
}
