// Reads the exports out of the schemas: their endpoints, what they are asked with, the columns of their files, and what a text has to
// look like to be meant for one of them. Nothing here knows a kind, a column or an event by its name.

import type { Schema } from "../../core/catalogue";

/** One column of a file. */
export interface Column {
  name: string;
  /** Where it is in an item of JSON; the name alone in CSV. */
  path: readonly string[];
  about: string;
  /** date, boolean, word (one of a few values), list, text, integer ... */
  type: string;
  values: readonly string[];
  /** Whether every row has it, whatever was asked for. */
  required: boolean;
  /** What the values are, in the words of x-source; "" where the schema does not say. */
  source: string;
}

/** One kind of export, as its schemas describe it. */
export interface ExportKind {
  kind: string;
  title: string;
  method: string;
  path: string;
  /** What tells the exports of one path apart; "" for a path with one export. */
  choice: string;
  format: "CSV" | "JSON";
  lookback: string;
  lookbackPolicy: "" | "clip" | "refuse";
  summary: string;
  interface: string;
  view: string;
  /** What the path names beside the application; "" for nothing. */
  target: "" | "campaign" | "group";
  /** The schema file of the request, and the schema without references. */
  request: string;
  schema: Schema;
  separator: string;
  columns: readonly Column[];
  /** What members are that no column describes: the first of which the pattern fits the name. */
  further: readonly { pattern: string; type: string; values: readonly string[] }[];
  /** The steps of a message, each after another one or after none. */
  journey: readonly { event: string; after: string }[];
}

/** What a text has to look like to be meant for a schema. */
export interface Outline {
  /** The name of the schema file, without its ending. */
  name: string;
  title: string;
  /** The kind of export whose file it describes; "" for payloads and answers. */
  kind: string;
  format: "csv" | "json";
  /** Whether it is a list of objects, and not one object. */
  list: boolean;
  /** The members of the object, or of each one in the list. */
  members: readonly string[];
  required: readonly string[];
  /** The members that have one value only. */
  fixed: Readonly<Record<string, string>>;
  /** The values that members may have, where the schema lists them. */
  words: readonly string[];
}

/** How an interface speaks: its words for what the page has to say. */
export interface Spoken {
  name: string;
  version: string;
  /** The variable of its paths that names the application; none where a header names the project. */
  keyVariable?: string;
  headers: { credential: string; scheme?: string; project?: string };
  identifiers: { created: string; export?: string; file?: string };
  states: readonly { name: string; role: Role }[];
  files: { link: "signed" | "redirect"; json: "array" | "lines" };
}

/** What a state of an export means. */
export type Role = "waiting" | "running" | "done" | "failed" | "expired";

/** How a client looks an export up. */
export interface Lookup {
  path: string;
  /** The variable of the path, or the query parameter, that takes the identifier of the export. */
  identifier: string;
  /** Whether that is a query parameter. */
  inQuery: boolean;
}

/** Everything that the page knows of exports. */
export interface Catalog {
  /** The interfaces, by name. */
  interfaces: Readonly<Record<string, Spoken>>;
  /** Every kind of export, in the order of the schemas. */
  kinds: readonly ExportKind[];
  /** The lookup of an export, by interface. */
  lookups: Readonly<Record<string, Lookup>>;
  /** Every schema of a payload, an answer or a file. */
  outlines: readonly Outline[];
}

/** The keywords of a schema file that the page reads, beside those of any schema. */
interface Source extends Omit<Schema, "properties" | "items"> {
  $id: string;
  $ref?: string;
  format?: string;
  properties?: Record<string, Source>;
  items?: Source;
  "x-export"?: Described;
  "x-interface"?: Spoken;
  "x-endpoints"?: Endpoint[];
  "x-csv"?: { separator: string; columns: string[] };
  "x-journey"?: { event: string; after?: string }[];
  "x-source"?: string;
  patternProperties?: Record<string, Source>;
  "x-attribute-types"?: { name: string; schema: Source }[];
}

interface Endpoint {
  name: string;
  interface: string;
  path: string;
  query?: { name: string; required: boolean; schema: Source }[];
  error: string;
  /** The files.link of an interface without which it has no such endpoint. */
  link?: string;
}

interface Described {
  kind: string;
  order: number;
  interface: string;
  method: string;
  path: string;
  request: string;
  response: string;
  error: string;
  format: "csv" | "json";
  view: string;
  target?: "campaign" | "group";
  summary: string;
  lookback?: string;
  lookbackPolicy?: "clip" | "refuse";
}

/** The answer of the server to /schemas.json: every schema file, by its path. */
export interface Bundle {
  $defs: Record<string, unknown>;
}

/** The member of an answer to a creation that has the identifier of the export. */
function createdBy(files: Record<string, Source>, side: string): string {
  const made = Object.values(files).find((file) => file["x-export"]?.interface === side)?.["x-export"]?.response ?? "";
  const members = Object.entries(files[made]?.properties ?? {});
  return members.find(([, member]) => member["x-source"] === "record.id")?.[0] ?? "id";
}

/** Reads all that there is about exports. */
export function read({ $defs }: Bundle): Catalog {
  const files = $defs as Record<string, Source>;
  const named = Object.keys(files).sort();
  const resources = new Map(named.map((name) => [files[name]!.$id, files[name]!]));
  const whole = (name: string): Source => resolved(resources, files[name]!.$id, files[name]!, []) as Source;
  const interfaces = Object.fromEntries(
    named
      .flatMap((name) => files[name]!["x-interface"] ?? [])
      .map((spoken) => [spoken.name, { ...spoken, identifiers: { ...spoken.identifiers, created: createdBy(files, spoken.name) } }]),
  );
  // An endpoint may be there for one kind of link to files alone.
  const endpointsOf = (name: string): Endpoint[] =>
    (files[name]!["x-endpoints"] ?? []).filter(({ interface: side, link }) => link === undefined || link === interfaces[side]?.files.link);
  const outputs = named.filter((name) => files[name]!["x-export"]);
  const described = (name: string): Described => files[name]!["x-export"]!;
  outputs.sort((a, b) => described(a).order - described(b).order || compare(described(a).kind, described(b).kind));
  const lookups = named.filter((name) => endpointsOf(name).length > 0);
  const told = new Set([...outputs, ...lookups, ...lookups.flatMap((name) => endpointsOf(name).map(({ error }) => error))]);
  for (const name of outputs) for (const other of [described(name).request, described(name).response, described(name).error]) told.add(other);
  const choices = outputs.map(described);
  return {
    interfaces,
    kinds: outputs.map((name) => kindOf(choices, whole(name), whole(described(name).request))),
    lookups: Object.fromEntries(choices.flatMap((kind) => lookupOf(files, endpointsOf, kind) ?? [])),
    outlines: [...told].sort().map((name) => outlineOf(name, whole(name), interfaces)),
  };
}

// The endpoint that looks up the exports of a kind: of those of its interface, the one with a variable, or a query parameter that is
// required, that is or has the same schema as the identifier in the answer to the creation.
function lookupOf(
  files: Record<string, Source>,
  endpointsOf: (name: string) => Endpoint[],
  { interface: side, response }: Described,
): [side: string, lookup: Lookup][] | undefined {
  const refOf = (file: string, schema: Source | undefined): string =>
    schema?.$ref === undefined ? "" : new URL(schema.$ref, files[file]!.$id).href;
  const created = files[response]!;
  const identifier = refOf(response, created.properties?.[created.required?.[0] ?? ""]);
  const variables = (files[parameters] as { $defs?: Record<string, Source> } | undefined)?.$defs ?? {};
  const definition = (variable: string): string => new URL(`#/$defs/${variable}`, files[parameters]?.$id).href;
  for (const name of Object.keys(files)) {
    for (const { path, query = [] } of endpointsOf(name).filter((endpoint) => endpoint.interface === side)) {
      const variable = parametersOf(path).find((one) => [definition(one), refOf(parameters, variables[one])].includes(identifier));
      const parameter = query.find(({ required, schema }) => required && refOf(name, schema) === identifier);
      const found = variable ?? parameter?.name;
      if (found !== undefined) return [[side, { path, identifier: found, inQuery: variable === undefined }]];
    }
  }
  return undefined;
}

// The schema file of the variables of paths.
const parameters = "common/parameters.json";

/** The names in braces of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function kindOf(all: readonly Described[], output: Source, request: Source): ExportKind {
  const { kind, method, path, format, lookback, lookbackPolicy, summary, view, target, interface: side, request: file } = output["x-export"]!;
  const row = format === "json" ? output.items! : output;
  return {
    kind,
    method,
    path,
    choice: all.filter((other) => other.path === path).length > 1 ? choiceOf(request) : "",
    format: format === "csv" ? "CSV" : "JSON",
    lookback: lookback ? durationOf(lookback) : "snapshot",
    lookbackPolicy: lookbackPolicy ?? "",
    summary,
    title: (request.title ?? kind).replace(/ export request$/, ""),
    interface: side,
    view,
    target: target ?? "",
    request: file,
    schema: asked(request, row),
    separator: output["x-csv"]?.separator ?? "",
    columns: columnsOf(row, output["x-csv"]?.columns),
    further: Object.values(row.properties ?? {})
      .flatMap((member) => Object.values(member.patternProperties ?? {}))
      .flatMap((member) => member["x-attribute-types"] ?? [])
      .map(({ name, schema }) => ({ pattern: name, ...shapeOf(schema) })),
    journey: Object.values(row.properties ?? {}).flatMap((member) => (member["x-journey"] ?? []).map(({ event, after }) => ({ event, after: after ?? "" }))),
  };
}

/** A duration of the vocabulary in words: "90 days" for P90D, "12 hours 30 minutes" for PT12H30M. */
function durationOf(text: string): string {
  const units = { D: "day", H: "hour", M: "minute", S: "second" } as const;
  const parts = [...text.matchAll(/(\d+)([DHMS])/g)].map(([, digits, unit]) => [Number(digits), units[unit as keyof typeof units]] as const);
  return parts.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

/** The member of a request that tells apart the exports of one path: the one that its schema fixes. */
function choiceOf(request: Source): string {
  const fixed = Object.values(request.properties ?? {}).find((member) => member.const !== undefined);
  return typeof fixed?.const === "string" ? fixed.const : "";
}

/**
 * The schema with every reference in its place. What stands beside a reference is stronger; a reference that leads back to itself is
 * any value.
 */
function resolved(resources: ReadonlyMap<string, Source>, base: string, schema: unknown, within: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolved(resources, base, item, within));
  if (schema === null || typeof schema !== "object") return schema;
  const { $ref, ...rest } = schema as { $ref?: string } & Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolved(resources, base, value, within)]));
  if (!$ref) return own;
  const { href } = new URL($ref, base);
  if (within.includes(href)) return own;
  const [address = "", pointer = ""] = href.split("#");
  const steps = decodeURIComponent(pointer)
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], resources.get(address));
  const target = resolved(resources, address, found, [...within, href]) as Record<string, unknown>;
  return { ...target, ...own };
}

/**
 * What a form, an editor and a sentence need of a request; the server judges it. A list of names that may be others, too, offers those
 * that the rows describe under the same member.
 */
function asked(request: Source, row: Source): Schema {
  const properties = Object.entries(request.properties ?? {}).map(([name, member]) => {
    const known = Object.keys(row.properties?.[name]?.properties ?? {});
    const listed = member.items?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
    const further = known.filter((one) => !listed.includes(one));
    if (!member.items?.anyOf || further.length === 0) return [name, member] as const;
    return [name, { ...member, items: { ...member.items, anyOf: [...member.items.anyOf, { enum: further }] } }] as const;
  });
  return { ...request, properties: Object.fromEntries(properties) as Record<string, Schema> };
}

/** The columns of a table of the rows: those of CSV in their order, those of JSON by the way to them. */
function columnsOf(row: Source, order: readonly string[] | undefined): Column[] {
  const found: Column[] = [];
  const walk = (properties: Record<string, Source>, path: readonly string[]): void => {
    for (const [key, schema] of Object.entries(properties)) {
      if (schema.properties) walk(schema.properties, [...path, key]);
      else found.push({ ...columnOf(key, [...path, key], schema), required: path.length === 0 && (row.required ?? []).includes(key) });
    }
  };
  walk(row.properties ?? {}, []);
  // Columns without a place come last, in the order of the properties.
  const place = (name: string): number => (order?.includes(name) ? order.indexOf(name) : Infinity);
  return order ? found.sort((a, b) => (place(a.name) === place(b.name) ? 0 : place(a.name) - place(b.name))) : found;
}

function columnOf(name: string, path: readonly string[], schema: Source): Omit<Column, "required"> {
  return { name, path, about: schema.description ?? "", ...shapeOf(schema), source: schema["x-source"] ?? "" };
}

/** The example of a date and time; nothing for a schema of anything else. */
export const dateExample = (schema: Schema | undefined): string | undefined =>
  schema?.examples?.map(String).find((example) => /^\d{4}-\d\d-\d\dT/.test(example));

function shapeOf(schema: Source): Pick<Column, "type" | "values"> {
  const types = [schema.type ?? (schema.enum ? "string" : [])].flat().filter((type) => type !== "null");
  const values = (schema.enum ?? schema.items?.enum ?? []).filter((value) => value !== null).map(String);
  const date = dateExample(schema) !== undefined || /^date/.test(schema.format ?? "");
  const flag = values.length === 2 && values.includes("true") && values.includes("false");
  const plain = (types[0] ?? "text").replace("string", "text");
  return { type: date ? "date" : flag ? "boolean" : types[0] === "array" ? "list" : values.length > 0 ? "word" : plain, values };
}

function outlineOf(name: string, schema: Source, interfaces: Catalog["interfaces"]): Outline {
  const item = schema.type === "array" ? (schema.items ?? schema) : schema;
  const members = Object.entries(item.properties ?? {});
  const fixed = members.filter(([, { const: value }]) => typeof value === "string");
  const words = members.flatMap(([, { enum: values, items }]) => values ?? items?.enum ?? []);
  return {
    name: name.replace(/\.json$/, ""),
    title: schema.title ?? "",
    kind: schema["x-export"]?.kind ?? "",
    format: schema["x-export"]?.format ?? "json",
    list: item !== schema && interfaces[schema["x-export"]?.interface ?? ""]?.files.json !== "lines",
    members: members.map(([key]) => key),
    required: item.required ?? [],
    fixed: Object.fromEntries(fixed.map(([key, { const: value }]) => [key, value as string])),
    words: [...new Set(words.filter((word) => typeof word === "string"))],
  };
}
