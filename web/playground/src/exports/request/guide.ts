// The guide to the request of an export: which schema holds where, and what is wrong, in words. It brings the compiled schemas, so
// it is loaded when the form stands.

import type { ExportKind } from "virtual:exports";
import { validators } from "virtual:request-validators";
import type { Fault } from "virtual:validators";
import type { Schema } from "../../core/catalogue";
import { write } from "../../core/json";
import type { Found } from "../../editor/faults";
import type { Guide } from "../../editor/guide";
import { pathOfPointer, type Path } from "../../editor/pointer";

/** Makes the guide to the request of whichever kind is chosen. */
export const requestGuide = (kind: () => ExportKind): Guide => ({
  schemaAt: (_, path) => schemaOf(kind().schema, path),
  faults: (value) => faultsOf(kind(), value),
});

/** Everything that the schema finds in a request. */
export function faultsOf(kind: ExportKind, value: unknown): Found[] {
  const validate = validators[kind.request];
  if (!validate || validate(value)) return [];
  const faults = validate.errors ?? [];
  // A choice of several is one fault, not one for each of them.
  const choices = faults.filter((fault) => fault.keyword === "anyOf").map((fault) => fault.instancePath);
  const relevant = faults.filter(
    (fault) => fault.keyword !== "if" && (fault.keyword === "anyOf" || !choices.includes(fault.instancePath) || !ofChoice(fault)),
  );
  return relevant.map((fault) => describe(fault, kind.schema));
}

const ofChoice = (fault: Fault): boolean => /\/anyOf\//.test((fault as { schemaPath?: string }).schemaPath ?? "");

function schemaOf(from: Schema, path: Path): Schema | undefined {
  let at: Schema | undefined = from;
  for (const step of path) at = typeof step === "number" ? at?.items : at?.properties?.[step];
  return at;
}

function describe(fault: Fault, schema: Schema): Found {
  let path = pathOfPointer(fault.instancePath);
  if (fault.keyword === "required") path = [...path, String(fault.params["missingProperty"])];
  if (fault.keyword === "additionalProperties") path = [...path, String(fault.params["additionalProperty"])];
  const named = path.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
  const parent = schemaOf(schema, named.slice(0, -1));
  const name = named.length === 0 ? "the request" : named.join(".");
  return { path, severity: "error", message: `${name} ${expectation(fault, schemaOf(schema, named), parent)}` };
}

function expectation(fault: Fault, schema: Schema | undefined, parent: Schema | undefined): string {
  switch (fault.keyword) {
    case "required":
      return `is missing: ${sentence(schema?.description ?? "it is required")}`;
    case "additionalProperties":
      return `is not known; allowed: ${Object.keys(parent?.properties ?? {}).join(", ")}`;
    case "type":
      return `must be ${[fault.params["type"]].flat().map((type) => kinds[String(type)] ?? String(type)).join(" or ")}`;
    case "enum":
      return `must be one of ${(fault.params["allowedValues"] as unknown[]).join(", ")}`;
    case "const":
      return `must be ${write(fault.params["allowedValue"])}`;
    case "pattern":
    case "format":
      return `must be ${sentence(definition(schema))}`;
    case "minItems":
      return `needs at least ${String(fault.params["limit"])} of them`;
    case "maxItems":
      return `may have at most ${String(fault.params["limit"])}`;
    case "minLength":
      return "must not be empty";
    case "anyOf":
      return schema?.items || schema?.type === "object" || !schema?.anyOf?.[0]?.enum
        ? "needs attributes or identifiers, or both"
        : "is no attribute: native ones begin with $ and are listed, custom ones do not begin with it";
  }
  return `breaks the rule ${fault.keyword}`;
}

const kinds: Record<string, string> = { string: "a text", object: "an object", array: "a list", boolean: "true or false" };

const moments: Record<string, string> = {
  legacyMoment: "a UTC date and time such as 2026-01-31T08:30:00, without a zone, or the word now",
  profileMoment: "a UTC date and time such as 2026-01-31T08:30:00Z, or the word now",
};
const definition = (schema: Schema | undefined): string =>
  moments[schema?.["x-definition"] ?? ""] ?? schema?.description ?? "something else";

const sentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
