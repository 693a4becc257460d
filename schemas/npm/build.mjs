// Makes dist/: one file with every schema, the module that validates, and TypeScript types for each schema.

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "json-schema-to-typescript";
import { base, readSchemas, root } from "./files.mjs";

const dist = join(root, "dist");
const banner = "// Made from the schema files by npm/build.mjs. Do not edit.\n";

function write(name, text) {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// What the types cannot express, and would only blur them: conditions, our keywords, addresses.
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const copy = {};
  const onlyRequires = (branch) => branch.required;
  for (const [name, member] of Object.entries(value)) {
    if (["$id", "$schema", "if", "then", "else"].includes(name) || name.startsWith("x-")) continue;
    if (name === "allOf" && member.every((branch) => branch.if)) continue;
    if (name === "anyOf" && member.every(onlyRequires)) continue;
    if (name === "type" && value.anyOf && !value.anyOf.every(onlyRequires)) continue;
    copy[name] = plain(member);
  }
  return copy;
}

// "legacy/campaign.request.json" -> "LegacyCampaignRequest"
function typeName(file) {
  return file
    .replace(/\.json$/, "")
    .split(/[^a-z0-9]+/)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");
}

const schemas = readSchemas();
const resolver = {
  order: 1,
  canRead: ({ url }) => url.startsWith(base),
  read: ({ url }) => JSON.stringify(plain(schemas.get(url.slice(base.length).split("#")[0]))),
};

rmSync(dist, { recursive: true, force: true });
const exported = [];
for (const [file, schema] of schemas) {
  if (!schema.type || file === "vocabulary.json") continue;
  const name = typeName(file);
  const source = await compile({ ...plain(schema), title: name }, name, {
    bannerComment: banner,
    cwd: base + dirname(file) + "/",
    ignoreMinAndMaxItems: true,
    style: { printWidth: 130 },
    $refOptions: { resolve: { file: false, http: false, rehearsal: resolver } },
  });
  const target = `types/${file.replace(/\.json$/, "")}`;
  write(`${target}.d.ts`, source);
  exported.push({ name, target });
}

const all = Object.fromEntries(schemas);
write("schemas.json", JSON.stringify(all, null, 1));
write(
  "index.d.ts",
  `${banner}
import type { ValidateFunction } from "ajv";

/** The address that every $id begins with. */
export declare const base: string;

/** The names of the keywords that the schemas use beyond JSON Schema, for validators that want to be told. */
export declare const keywords: readonly string[];

/** The formats of the files, for an Ajv of your own: they mean the same in every language. */
export declare const formats: Readonly<Record<string, (text: string) => boolean>>;

/** The path of a schema file. */
export type SchemaName =
${Object.keys(all)
  .map((file) => `  | ${JSON.stringify(file)}`)
  .join("\n")};

/** Every schema file by its path. */
export declare const schemas: Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>>;

/**
 * The function of Ajv that checks a value against a schema, and lists all errors in its member errors. The schema is named by its
 * file, with or without .json, or by the kind of an export, such as userbase. A name that no schema has is a RangeError.
 */
export declare function validator<T = unknown>(name: SchemaName | (string & {})): ValidateFunction<T>;

${exported.map(({ name, target }) => `export type { ${name} } from "./${target}.js";`).join("\n")}
`,
);
cpSync(join(root, "npm", "src"), dist, { recursive: true });
cpSync(join(root, "formats", "formats.json"), join(dist, "formats.json"));
console.log(`npm: ${schemas.size} schemas, ${exported.length} types in dist/`);
