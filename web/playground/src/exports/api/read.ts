// Reads the exports out of the schemas: their endpoints, requests and columns. Nothing here knows a kind, a column or an event by name.

import type { Schema } from "../../core/catalogue";

/** How a file is packed; "" for not at all. */
export type Container = "" | "gzip" | "zip";

/** One column of a file. */
export interface Column {
  name: string;
  /** Where it is in an item of JSON; the name alone in CSV. */
  path: readonly string[];
  about: string;
  /** date, boolean, word (one of a few values), list, text, integer ... */
  type: string;
  values: readonly string[];
  /** What the values are, in the words of x-source; "" where the schema does not say. */
  source: string;
}

/** One kind of export, as its schemas describe it. */
export interface ExportKind {
  kind: string;
  title: string;
  method: string;
  path: string;
  format: "CSV" | "JSON";
  /** How its files are packed. */
  container: Container;
  /** Whether the answer to the request is the file itself. */
  direct: boolean;
  lookback: string;
  lookbackPolicy: "" | "clip" | "refuse";
  summary: string;
  interface: string;
  view: string;
  /** The schema file of the request, and the schema without references. */
  request: string;
  schema: Schema;
  separator: string;
  columns: readonly Column[];
  /** The events of a message. */
  journey: readonly { event: string }[];
}

/** How an interface speaks: its words for what the page has to say. */
export interface Spoken {
  name: string;
  version: string;
  /** The variable of its paths that names the application; none where a header names the project. */
  keyVariable?: string;
  headers: { credential: string; scheme?: string; project?: string };
  /** Where a creation has the identifier, a path such as data/id, and the prefixes of identifiers. */
  identifiers: { created: string; export?: string; file?: string };
  states: readonly { name: string; role: Role }[];
  files?: { container?: Container };
}

/** What a state of an export means. */
export type Role = "waiting" | "running" | "done" | "failed" | "expired";

// The states of an interface that says nothing of them.
const standard: Spoken["states"] = [
  { name: "CREATED", role: "waiting" },
  { name: "PENDING", role: "running" },
  { name: "SUCCESS", role: "done" },
  { name: "ERROR", role: "failed" },
];

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
}

/** The keywords of a schema file that the page reads, beside those of any schema. */
interface Source extends Omit<Schema, "properties" | "items"> {
  $id: string;
  $ref?: string;
  format?: string;
  properties?: Record<string, Source>;
  items?: Source;
  "x-export"?: Described;
  "x-interface"?: Omit<Spoken, "states"> & Partial<Pick<Spoken, "states">>;
  "x-endpoints"?: Endpoint[];
  "x-csv"?: { separator: string; columns: string[] };
  "x-journey"?: { event: string }[];
  "x-source"?: string;
}

interface Endpoint {
  role: string;
  interface: string;
  path: string;
  query?: { name: string; role?: string }[];
}

interface Described {
  kind: string;
  order: number;
  interface: string;
  method: string;
  path: string;
  request: string;
  response?: string;
  error: string;
  format: "csv" | "json";
  view: string;
  summary: string;
  lookback?: string;
  lookbackPolicy?: "clip" | "refuse";
}

/** The answer of the server to /schemas.json: every schema file, by its path. */
export interface Bundle {
  $defs: Record<string, unknown>;
}

/** Where an answer to a creation has the identifier of the export: a path such as data/id. */
function createdBy(made: Source): string {
  const find = (schema: Source): string[] | undefined => {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (member["x-source"] === "record.id") return [name];
      const below = find(member);
      if (below) return [name, ...below];
    }
    return undefined;
  };
  return (find(made) ?? ["id"]).map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

/** The value at a pointer without its first slash; nothing where there is none. */
const valueAt = (value: unknown, path: string): unknown =>
  path
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], value);

/** The identifier of the export that an answer to a creation names, in an interface that says where; "" for none. */
export function createdIn(answer: unknown, spoken: Pick<Spoken, "identifiers"> | undefined): string {
  const id = spoken && valueAt(answer, spoken.identifiers.created);
  return typeof id === "string" ? id : "";
}

/** Reads all that there is about exports. */
export function read({ $defs }: Bundle): Catalog {
  const files = $defs as Record<string, Source>;
  const named = Object.keys(files).sort();
  const resources = new Map(named.map((name) => [files[name]!.$id, files[name]!]));
  const whole = (name: string): Source => resolved(resources, files[name]!.$id, files[name]!, []) as Source;
  const answerOf = (side: string): Source => {
    const made = Object.values(files).find((file) => file["x-export"]?.interface === side)?.["x-export"]?.response;
    return made && files[made] ? whole(made) : ({} as Source);
  };
  const interfaces = Object.fromEntries(
    named
      .flatMap((name) => files[name]!["x-interface"] ?? [])
      .map((spoken) => [spoken.name, { ...spoken, states: spoken.states ?? standard, identifiers: { ...spoken.identifiers, created: createdBy(answerOf(spoken.name)) } }]),
  );
  const lookups = named.flatMap((name) => files[name]!["x-endpoints"] ?? []).filter(({ role }) => role === "status");
  const outputs = named.filter((name) => files[name]!["x-export"]);
  const described = (name: string): Described => files[name]!["x-export"]!;
  outputs.sort((a, b) => described(a).order - described(b).order || compare(described(a).kind, described(b).kind));
  return {
    interfaces,
    kinds: outputs.map((name) => kindOf(whole(name), whole(described(name).request), interfaces[described(name).interface]?.files?.container ?? "")),
    lookups: Object.fromEntries(lookups.map((one) => [one.interface, lookupOf(one, interfaces[one.interface]?.keyVariable)])),
  };
}

/** How exports are looked up by an endpoint: what takes the identifier is a query parameter, or the variable that does not name the application. */
function lookupOf({ path, query = [] }: Endpoint, keyVariable: string | undefined): Lookup {
  const parameter = query.find(({ role }) => role === "export")?.name;
  const variable = parametersOf(path).find((name) => name !== keyVariable) ?? "";
  return { path, identifier: parameter ?? variable, inQuery: parameter !== undefined };
}

/** The names in braces of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function kindOf(output: Source, request: Source, container: Container): ExportKind {
  const { kind, method, path, format, lookback, lookbackPolicy, summary, view, interface: side, request: file, response } = output["x-export"]!;
  const row = format === "json" ? output.items! : output;
  return {
    kind,
    method,
    path,
    format: format === "csv" ? "CSV" : "JSON",
    container,
    direct: !response,
    lookback: lookback ? durationOf(lookback) : "snapshot",
    lookbackPolicy: lookbackPolicy ?? "",
    summary,
    title: (request.title ?? kind).replace(/ export request$/, ""),
    interface: side,
    view,
    request: file,
    schema: asked(request, row),
    separator: output["x-csv"]?.separator ?? "",
    columns: columnsOf(row, output["x-csv"]?.columns),
    journey: Object.values(row.properties ?? {}).flatMap((member) => member["x-journey"] ?? []),
  };
}

/** A duration of the vocabulary in words: "90 days" for P90D, "12 hours 30 minutes" for PT12H30M. */
function durationOf(text: string): string {
  const units = { D: "day", H: "hour", M: "minute", S: "second" } as const;
  const parts = [...text.matchAll(/(\d+)([DHMS])/g)].map(([, digits, unit]) => [Number(digits), units[unit as keyof typeof units]] as const);
  return parts.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
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
  const file = resources.get(address);
  const found = pointer ? valueAt(file, decodeURIComponent(pointer).slice(1)) : file;
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
      else found.push(columnOf(key, [...path, key], schema));
    }
  };
  walk(row.properties ?? {}, []);
  // Columns without a place come last, in the order of the properties.
  const place = (name: string): number => (order?.includes(name) ? order.indexOf(name) : Infinity);
  return order ? found.sort((a, b) => (place(a.name) === place(b.name) ? 0 : place(a.name) - place(b.name))) : found;
}

function columnOf(name: string, path: readonly string[], schema: Source): Column {
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
