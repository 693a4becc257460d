// Reads the outlines of the schema files when the page is built: what a text has to look like to be meant for one of them.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { whole } from "./exports.mjs";

const name = "virtual:schemas";

/** Makes the module `virtual:schemas`. `folder` holds the folders of schema files. */
export function schemaOutlines(folder) {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const schemas = ${JSON.stringify(outlines(folder))};` : undefined),
  };
}

/** The outline of every schema of a payload, an answer or a file. */
export function outlines(folder) {
  const open = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const files = ["legacy", "profiles"].flatMap((group) => readdirSync(join(folder, group)).map((file) => `${group}/${file}`));
  return files.map((file) => {
    const schema = whole(open, file, open(file));
    const item = schema.type === "array" ? schema.items : schema;
    const { kind = "", format = "json" } = schema["x-export"] ?? {};
    return { name: file.replace(/\.json$/, ""), title: schema.title, kind, format, list: item !== schema, ...members(item) };
  });
}

function members({ properties = {}, required = [] }) {
  const fixed = Object.entries(properties).filter(([, { const: value }]) => typeof value === "string");
  const words = Object.values(properties).flatMap(({ enum: values, items }) => values ?? items?.enum ?? []);
  return {
    members: Object.keys(properties),
    required,
    fixed: Object.fromEntries(fixed.map(([key, { const: value }]) => [key, value])),
    words: [...new Set(words.filter((word) => typeof word === "string"))],
  };
}
