// The built-in actions, read from the schema files: their titles, what they do, their arguments, and an example of each.

import { order } from "./builtins";

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
  minItems?: number;
  maxItems?: number;
  const?: unknown;
  anyOf?: Schema[];
  /** The name of the shared definition that the schema is. */
  "x-definition"?: string;
}

/** One built-in action. */
export interface Builtin {
  identifier: string;
  /** The same action under a name without a platform in it. */
  neutral?: string;
  title: string;
  description: string;
  schema: Schema;
  example: Record<string, unknown>;
}

const files = import.meta.glob<Schema>("../../../../schemas/actions/service.*.arguments.json", {
  eager: true,
  import: "default",
});

function read({ identifier, neutral }: (typeof order)[number]): Builtin {
  const schema = Object.entries(files).find(([path]) => path.endsWith(`/${identifier}.arguments.json`))?.[1];
  if (!schema) throw new Error(`there is no schema for the arguments of ${identifier}`);
  return {
    identifier,
    ...(neutral && { neutral }),
    title: schema.title ?? identifier,
    description: schema.description ?? "",
    schema,
    example: (schema.examples?.[0] ?? {}) as Record<string, unknown>,
  };
}

/** The built-in actions. */
export const builtins: readonly Builtin[] = order.map(read);

/** Every identifier that a built-in answers to. */
export const builtinNames: readonly string[] = builtins.flatMap((b) => (b.neutral ? [b.identifier, b.neutral] : [b.identifier]));

/** The built-in that an identifier means, if any. The page only looks things up with it; what is performed is decided elsewhere. */
export function builtinOf(identifier: string): Builtin | undefined {
  const folded = identifier.toLowerCase().replaceAll("i\u0307", "i");
  return builtins.find((b) => b.identifier === folded || b.neutral === folded);
}
