// The schema files as the page reads them, without a server.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./server.mjs";

/** Imports a module of the page. */
export async function imported(path) {
  const entry = join(root, "web/playground/src", path);
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

/** All schema files in one, as the server answers them at /schemas.json. */
function bundle() {
  const folder = join(root, "schemas");
  const files = ["common", "legacy", "profiles"].flatMap((group) => readdirSync(join(folder, group)).map((file) => `${group}/${file}`));
  return { $defs: Object.fromEntries(files.map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))])) };
}

/** What the page knows of exports when the server works with the schemas of the repository. */
export const catalog = async () => (await imported("exports/api/read.ts")).read(bundle());
