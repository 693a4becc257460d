// Reads the kinds of exports out of the schema files when the page is built.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const name = "virtual:exports";

/** Makes the module `virtual:exports`: the kinds of exports. `folder` holds the folders of schema files. */
export function exportKinds(folder) {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const kinds = ${JSON.stringify(read(folder))};` : undefined),
  };
}

function read(folder) {
  const paths = ["legacy", "profiles"].flatMap((group) =>
    readdirSync(join(folder, group)).map((file) => join(folder, group, file)),
  );
  const described = paths.map((path) => JSON.parse(readFileSync(path, "utf8"))["x-export"]).filter(Boolean);
  described.sort((a, b) => a.order - b.order);
  return described.map(({ kind, method, path, format, lookback, summary }) => ({
    kind,
    method,
    path,
    choice: described.filter((other) => other.path === path).length > 1 ? kind.split(".")[1].toUpperCase() : "",
    format: format.toUpperCase(),
    lookback: lookback ? `${Number(/^P(\d+)D$/.exec(lookback)[1])} days` : "snapshot",
    summary,
  }));
}
