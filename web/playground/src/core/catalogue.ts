// The built-in actions, read from the schema files: their titles, what they do, their arguments, and an example of each.

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

// In the order of the specification's table.
const order = [
  "service.dismiss",
  "service.deeplink",
  "service.ios_request_notifications",
  "service.ios_redirect_settings",
  "service.ios_smart_reoptin",
  "service.user.tag",
  "service.user.event",
  "service.group",
  "service.ios_tracking_consent",
  "service.clipboard",
  "service.rating",
];

const ignored =
  / (Arguments that are not listed are ignored|It takes no arguments; what is given all the same is ignored|Also answers to [a-z_.]+|A host may refuse links that this schema allows)\./g;

function read(identifier: string): Builtin {
  const schema = Object.entries(files).find(([path]) => path.endsWith(`/${identifier}.arguments.json`))?.[1];
  if (!schema) throw new Error(`there is no schema for the arguments of ${identifier}`);
  const neutral = identifier.replace("service.ios_", "service.");
  return {
    identifier,
    ...(neutral === identifier ? {} : { neutral }),
    title: schema.title ?? identifier,
    description: (schema.description ?? "").replace(ignored, ""),
    schema,
    example: (schema.examples?.[0] ?? {}) as Record<string, unknown>,
  };
}

/** The eleven built-in actions. */
export const builtins: readonly Builtin[] = order.map(read);

/** Every identifier that a built-in answers to. */
export const builtinNames: readonly string[] = builtins.flatMap((b) => (b.neutral ? [b.identifier, b.neutral] : [b.identifier]));

/** The built-in that an identifier means, if any. The page only looks things up with it; what is performed is decided elsewhere. */
export function builtinOf(identifier: string): Builtin | undefined {
  const folded = identifier.toLowerCase().replaceAll("i\u0307", "i");
  return builtins.find((b) => b.identifier === folded || b.neutral === folded);
}
