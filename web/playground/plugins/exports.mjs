// Reads the exports out of the schema files when the page is built: their endpoints, what they are asked with, and the columns of
// their files.

import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";

const name = "virtual:exports";

/** Makes the module `virtual:exports`. `folder` holds the folders of schema files. */
export function exportKinds(folder) {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      for (const group of ["common", "legacy", "profiles"])
        for (const file of readdirSync(join(folder, group))) this.addWatchFile(join(folder, group, file));
      const { kinds, lookups } = read(folder);
      return `export const kinds = ${JSON.stringify(kinds)};\nexport const lookups = ${JSON.stringify(lookups)};`;
    },
  };
}

/** Everything that the page knows of exports. */
export function read(folder) {
  const open = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const files = ["legacy", "profiles"].flatMap((group) => readdirSync(join(folder, group)).map((file) => `${group}/${file}`));
  const outputs = files.filter((file) => open(file)["x-export"]).map((file) => ({ file, schema: open(file) }));
  outputs.sort((a, b) => a.schema["x-export"].order - b.schema["x-export"].order);
  const described = outputs.map(({ schema }) => schema["x-export"]);
  const kinds = outputs.map(({ file, schema }) => kindOf(open, described, file, schema));
  const endpoints = files.flatMap((file) => open(file)["x-endpoints"] ?? []);
  const lookups = Object.fromEntries(endpoints.map(({ name, path }) => [name, path]));
  return { kinds, lookups };
}

function kindOf(open, described, file, schema) {
  const { kind, method, path, format, lookback, lookbackPolicy, notBefore, summary, view, interface: side, request } = schema["x-export"];
  const row = whole(open, file, format === "json" ? schema.items : schema);
  const type = typeOf(row);
  return {
    kind,
    method,
    path,
    choice: described.filter((other) => other.path === path).length > 1 ? choiceOf(open(request)) : "",
    format: format.toUpperCase(),
    lookback: lookback ? `${Number(/^P(\d+)D$/.exec(lookback)[1])} days` : "snapshot",
    lookbackPolicy: lookbackPolicy ?? "",
    notBefore: notBefore ?? "",
    summary,
    title: open(request).title.replace(/ export request$/, ""),
    interface: side,
    view,
    request,
    schema: asked(whole(open, request, open(request))),
    separator: schema["x-csv"]?.separator ?? "",
    columns: columnsOf(row, schema["x-csv"]?.columns),
    journey: (type?.["x-journey"] ?? []).map(({ event, after }) => ({ event, after: after ?? "" })),
  };
}

/** The member of a request that tells apart the exports of one path: the one that its schema fixes. */
const choiceOf = (request) => Object.values(request.properties).find((member) => member.const !== undefined)?.const ?? "";

/** The schema with every reference in its place. What stands beside a reference is stronger. */
export function whole(open, file, schema) {
  if (Array.isArray(schema)) return schema.map((item) => whole(open, file, item));
  if (schema === null || typeof schema !== "object") return schema;
  const { $ref, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, whole(open, file, value)]));
  if (!$ref) return own;
  const [path, pointer = ""] = $ref.split("#");
  const target = path === "" ? file : posix.join(posix.dirname(file), path);
  const found = pointer.split("/").slice(1).reduce((at, step) => at[step], open(target));
  const definition = pointer.split("/").at(-1);
  return { ...whole(open, target, found), "x-definition": definition, ...own };
}

const typeOf = (row) => (row.properties ?? {}).event_type;

/** What a form, an editor and a sentence need of a request; the rules themselves are compiled. */
function asked(schema) {
  if (Array.isArray(schema)) return schema.map(asked);
  if (schema === null || typeof schema !== "object") return schema;
  const dropped = new Set(["$schema", "$id", "pattern", "x-rate-limit", "$defs", "x-wire-names"]);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => [key, key === "examples" || key === "enum" ? value : asked(value)]),
  );
}

/** The columns of a table of the rows: those of CSV in their order, those of JSON by the way to them. */
function columnsOf(row, order) {
  const found = [];
  const walk = (properties, path) => {
    for (const [key, schema] of Object.entries(properties)) {
      if (schema.properties) walk(schema.properties, [...path, key]);
      else found.push({ ...columnOf(key, [...path, key], schema), required: path.length === 0 && (row.required ?? []).includes(key) });
    }
  };
  walk(row.properties, []);
  return order ? order.map((key) => found.find((column) => column.path[0] === key)) : found;
}

function columnOf(name, path, schema) {
  const types = [schema.type ?? (schema.enum ? "string" : [])].flat().filter((type) => type !== "null");
  const values = schema.enum ?? schema.items?.enum ?? [];
  const date = /DateTime|timestamp/.test(schema["x-definition"] ?? "") || schema.format === "date-time";
  const flag = values.length === 2 && values.includes("true") && values.includes("false");
  return {
    name,
    path,
    about: schema.description ?? "",
    type: date ? "date" : flag ? "boolean" : values.length > 0 && types[0] !== "array" ? "word" : types[0] === "array" ? "list" : (types[0] ?? "text").replace("string", "text"),
    values,
  };
}
