import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageFolder } from "./server.mjs";

/**
 * Makes an application outside of the clone, in which the package is installed as README.md says, and libraries that this clone has.
 * Gives its folder, and what removes it.
 */
export function makeApplication(libraries = []) {
  const folder = mkdtempSync(join(tmpdir(), "application-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "application", private: true, type: "module" }));
  const flags = ["--install-links", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=peer"];
  execFileSync("npm", ["install", ...flags, packageFolder], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  for (const name of libraries) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(packageFolder, "../node_modules", name), place);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
