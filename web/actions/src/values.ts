/** Which values of a page can be arguments, and how those that are kept on the page are copied. */

/** Says whether a text has no lone surrogate. */
export const isWellFormed: (text: string) => boolean =
  typeof (String.prototype as { isWellFormed?: unknown }).isWellFormed === "function"
    ? (text) => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => !/\p{Surrogate}/u.test(text);

/** Says whether an object is nobody's instance: it was written with braces, in this frame or in another, or has no prototype. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty"))
  );
}

/** Nesting above this is left to the program. */
const deepest = 100;

const unusual = Symbol("unusual");

/**
 * Copies arguments that need no rule: texts without lone surrogates, booleans, numbers, null, and arrays and plain objects of
 * them. Gives undefined for all others, for the program to decide.
 */
export function copyArguments(args: unknown): Record<string, unknown> | undefined {
  if (args === undefined || args === null) {
    return {};
  }
  if (typeof args !== "object" || Array.isArray(args)) {
    return undefined;
  }
  try {
    return copyObject(args, 0);
  } catch {
    return undefined;
  }
}

function copyObject(object: object, depth: number): Record<string, unknown> {
  if (!isPlain(object) || depth > deepest) {
    throw unusual;
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[name];
    if (value === undefined) {
      continue;
    }
    if (name === "__proto__" || !isWellFormed(name)) {
      throw unusual;
    }
    copy[name] = copyValue(value, depth);
  }
  return copy;
}

function copyValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
      if (!isWellFormed(value)) {
        throw unusual;
      }
      return value;
    case "number":
    case "boolean":
      return value;
    case "undefined":
      return null; // in an array
    case "object":
      if (value === null) {
        return null;
      }
      if (!Array.isArray(value)) {
        return copyObject(value, depth + 1);
      }
      if (depth >= deepest) {
        throw unusual;
      }
      return Array.from(value, (item) => copyValue(item, depth + 1));
    default:
      throw unusual;
  }
}
