// The built-in actions, read from the schema files: their titles, what they do, their arguments, and an example of each.

import { order } from "./builtins";
import type { CapabilityName } from "./adapter";

/** A JSON Schema as far as the page looks into one. */
export interface Schema {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  const?: unknown;
  anyOf?: Schema[];
  "x-role"?: string;
}

/** One built-in action. */
export interface Builtin {
  identifier: string;
  /** The same action under a name without a platform in it. */
  neutral?: string;
  /** The capabilities of a host that it uses. */
  capabilities: readonly CapabilityName[];
  /** The argument that lists further actions to run, as pairs of an identifier and its arguments, if it has one: that of a group. */
  list?: string;
  title: string;
  description: string;
  schema: Schema;
  example: Record<string, unknown>;
}

const files = import.meta.glob<Schema>("../../../../schemas/actions/service.*.arguments.json", {
  eager: true,
  import: "default",
});

// The name of the argument whose items are pairs of a text and an object, if there is one.
function listIn({ properties }: Schema): string | undefined {
  const isPair = ({ prefixItems: [first, second, ...more] = [] }: Schema = {}) =>
    first?.type === "string" && second?.type === "object" && more.length === 0;
  return Object.entries(properties ?? {}).find(([, { items }]) => isPair(items))?.[0];
}

function read({ identifier, neutral, capabilities }: (typeof order)[number]): Builtin {
  const schema = Object.entries(files).find(([path]) => path.endsWith(`/${identifier}.arguments.json`))?.[1];
  if (!schema) throw new Error(`there is no schema for the arguments of ${identifier}`);
  const list = listIn(schema);
  return {
    identifier,
    ...(neutral && { neutral }),
    capabilities,
    ...(list && { list }),
    title: schema.title ?? identifier,
    description: schema.description ?? "",
    schema,
    example: (schema.examples?.[0] ?? {}) as Record<string, unknown>,
  };
}

/** The built-in actions. */
export const builtins: readonly Builtin[] = order.map(read);

/** The built-ins that use a capability, by the shorter of their names. */
export const builtinsWith = (capability: CapabilityName): string[] =>
  builtins.filter(({ capabilities }) => capabilities.includes(capability)).map(({ identifier, neutral }) => neutral ?? identifier);

/** Every identifier that a built-in answers to. */
export const builtinNames: readonly string[] = builtins.flatMap((b) => (b.neutral ? [b.identifier, b.neutral] : [b.identifier]));

/** The built-in that an identifier means, if any. The page only looks things up with it; what is performed is decided elsewhere. */
export function builtinOf(identifier: string): Builtin | undefined {
  const folded = identifier.toLowerCase().replaceAll("i\u0307", "i");
  return builtins.find((b) => b.identifier === folded || b.neutral === folded);
}
