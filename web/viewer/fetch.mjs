// Takes the one file of the viewer that the page needs into build/viewer. Its package alone is fetched, and not the 275 that it depends
// on, since the file holds them; package-lock.json says which package, with its digest.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const name = "@scalar/api-reference";
const file = "dist/browser/standalone.js";
const { version, integrity } = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8")).packages[`node_modules/${name}`];
const folder = join(here, "../../build/viewer");
const [output, stamp] = [join(folder, "viewer.js"), join(folder, "digest")];

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== integrity) {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "work-"));
  try {
    // npm compares the package with a digest only when it installs it.
    const pack = ["pack", "--silent", "--json", "--pack-destination", work, `${name}@${version}`];
    const [{ filename }] = JSON.parse(execFileSync("npm", pack, { encoding: "utf8" }));
    const packed = join(work, filename.replace("@", "").replace("/", "-"));
    const [algorithm, wanted] = integrity.split(/-(.*)/s);
    const found = createHash(algorithm).update(readFileSync(packed)).digest("base64");
    if (found !== wanted) throw new Error(`${name}@${version} has the digest ${algorithm}-${found}, package-lock.json says ${integrity}`);
    execFileSync("tar", ["-xzf", packed, "-C", work, `package/${file}`]);
    renameSync(join(work, "package", file), output);
    writeFileSync(stamp, integrity);
  } finally {
    rmSync(work, { recursive: true });
  }
}
