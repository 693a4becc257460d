// What is published: the tarball as resolvers, linters and readers find it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { bundle } from "./support/bundles.mjs";
import { packageFolder } from "./support/server.mjs";

const read = (name) => readFileSync(join(packageFolder, name), "utf8");
const described = JSON.parse(read("package.json"));

describe("the tarball", () => {
  const folder = mkdtempSync(join(tmpdir(), "tarball-"));
  let tarball;

  before(() => {
    const flags = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const packed = JSON.parse(execFileSync("npm", flags, { cwd: packageFolder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    tarball = join(folder, (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]).filename);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("its types are found and right however it is resolved", () => {
    const tool = join(dirname(fileURLToPath(import.meta.resolve("@arethetypeswrong/cli/package.json"))), "dist/index.js");
    const answer = execFileSync(process.execPath, [tool, tarball, "--format", "json"], { encoding: "utf8" });
    const { analysis, problems } = JSON.parse(answer);
    assert.deepEqual(Object.keys(analysis.entrypoints).sort(), Object.keys(described.exports).sort());
    assert.deepEqual(problems, {});
  });

  test("publint has nothing to say", async () => {
    const { publint } = await import("publint");
    const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer }, strict: true });
    assert.deepEqual(messages, []);
  });
});

const sizes = JSON.parse(read("sizes.json"));
/** Where the budget of a file is: that of the standard bundle, when that is in every entry. */
const budget = (name) => {
  const own = name.replace("dist/", "dist/standard/");
  return bundle === "standard" && own in sizes ? own : name;
};

for (const name of Object.keys(sizes)) {
  const most = sizes[budget(name)];
  test(`${name} has at most ${most} bytes in brotli, as sizes.json says`, () => {
    const bytes = readFileSync(join(packageFolder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
    const { length } = brotliCompressSync(bytes, { params });
    assert.ok(length <= most, `${length} bytes`);
    assert.ok(length > most * 0.75, `${length} bytes: lower its budget in sizes.json`);
  });
}

test("links of README.md lead somewhere wherever it is read", () => {
  const links = Array.from(read("README.md").matchAll(/\]\(([^)#]+)/g), ([, link]) => link);
  assert.ok(links.length > 10);
  const clone = `${described.repository.url.replace(/^git\+|\.git$/g, "")}/`;
  for (const link of links) {
    assert.match(link, /^https:/);
    if (link.startsWith(clone)) {
      const file = link.slice(clone.length).replace(/^(blob|tree)\/main\//, "");
      assert.ok(existsSync(join(packageFolder, "../..", file)), link);
    }
  }
});
