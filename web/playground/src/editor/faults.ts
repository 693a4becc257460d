// The faults of the arguments, found by the compiled schemas and put into words.

import { validators, type Fault } from "virtual:validators";
import { builtinOf, type Schema } from "../core/catalogue";
import { write } from "../core/json";
import { pathOfPointer, type Path } from "./pointer";

/** A fault, and where. A warning does not keep the action from running. */
export interface Found {
  path: Path;
  message: string;
  severity: "error" | "warning" | "info";
}

/** Everything that the schemas find in the arguments of an action. Actions without a schema have no faults. */
export function faultsOf(identifier: string, value: unknown): Found[] {
  const builtin = builtinOf(identifier);
  const validate = builtin && validators[builtin.identifier];
  if (!validate) return [];
  validate(value);
  const found = (validate.errors ?? []).map((fault) => describeFault(fault, builtin.schema, value));
  if (found.length === 0) found.push(...unknown(builtin.schema, builtin.identifier, value));
  if (found.length === 0 && builtin.list) found.push(...inList(builtin.list, value));
  return found;
}

// What is wrong with one action of a group is the affair of that action: the others run all the same.
function inList(name: string, value: unknown): Found[] {
  return (value as Record<string, [string, unknown][]>)[name]!.flatMap(([identifier, args], i) =>
    faultsOf(identifier, args).map((fault) => ({
      ...fault,
      path: [name, i, 1, ...fault.path],
      severity: fault.severity === "error" ? ("warning" as const) : fault.severity,
    })),
  );
}

// Unknown arguments are ignored, which is rarely what was meant.
function unknown(schema: Schema, identifier: string, value: unknown): Found[] {
  return Object.keys(value as object)
    .filter((name) => !schema.properties?.[name])
    .map((name) => ({
      path: [name],
      message: `${identifier} has no argument ${JSON.stringify(name)}: it is ignored`,
      severity: "info" as const,
    }));
}

function describeFault(fault: Fault, schema: Schema, value: unknown): Found {
  let path = pathOfPointer(fault.instancePath);
  const missing = fault.params["missingProperty"];
  if (fault.keyword === "required") path = [...path, String(missing)];
  const last = path.at(-1);
  const subject = path.length === 0 ? "the arguments" : path.length === 1 ? JSON.stringify(last) : write(path.join("/"));
  return { path, message: `${subject} ${expectation(fault, schemaAt(schema, path), valueAt(value, path))}`, severity: "error" };
}

function expectation(fault: Fault, schema: Schema | undefined, found: unknown): string {
  switch (fault.keyword) {
    case "required":
      return `is missing${schema?.title ? `: ${schema.title.toLowerCase()}, ${kindOf(schema)}` : ""}`;
    case "type":
      return `must be ${kindOf(schema) || list([fault.params["type"]].flat().map(String))}; found ${describe(found)}`;
    case "enum":
      return `must be ${list((fault.params["allowedValues"] as unknown[]).map((v) => write(v)))}; found ${describe(found)}`;
    case "minLength":
      return "must not be empty";
    case "maxItems":
      return `may hold at most ${String(fault.params["limit"])}; found ${(found as unknown[]).length}`;
    case "minItems":
      return "must be a pair of an identifier and an object";
    case "not":
      return "is a group: a group cannot hold a group";
  }
  return `breaks the rule ${fault.keyword}`;
}

const kinds: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

function kindOf(schema: Schema | undefined): string {
  if (schema?.enum) return list(schema.enum.map((v) => write(v)));
  return list([schema?.type ?? []].flat().map((type) => kinds[type] ?? type));
}

const list = (words: string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function describe(value: unknown): string {
  if (value !== null && typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  const written = write(value);
  return written.length > 40 ? `${written.slice(0, 39)}…` : written;
}

function schemaAt(from: Schema, path: Path): Schema | undefined {
  let schema: Schema | undefined = from;
  for (const step of path) schema = schema?.properties ? schema.properties[step] : (schema?.prefixItems?.[Number(step)] ?? schema?.items);
  return schema;
}

function valueAt(from: unknown, path: Path): unknown {
  let value = from;
  for (const step of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
