/** Which values of a page can be arguments, and how those that are kept on the page are copied. */

const surrogate = /[\ud800-\udfff]/;

/** Says whether a text has no lone surrogate. Most have none at all, which this asks first: `isWellFormed` takes longer in Chromium. */
export const isWellFormed = (text: string): boolean => !surrogate.test(text) || !/\p{Surrogate}/u.test(text);

/** Replaces lone surrogates by U+FFFD, as text does that leaves the page. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

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
 * them. Returns undefined for all others, for the program to decide.
 */
export function copyArguments(args: unknown): Record<string, unknown> | undefined {
  if (args === undefined || args === null) {
    return {};
  }
  if (typeof args !== "object") {
    return undefined;
  }
  try {
    return Array.isArray(args) ? undefined : copyObject(args, 0);
  } catch {
    return undefined;
  }
}

/** Names of arguments that were looked at already, also by their last places in an object. Looking again costs more than this. */
const wellFormedNames = new Set<string>();
const lately = new Array<string>(16).fill("");

function checkName(name: string): void {
  if (wellFormedNames.has(name)) {
    return;
  }
  if (!isWellFormed(name)) {
    throw unusual;
  }
  if (wellFormedNames.size === 1000) {
    wellFormedNames.clear();
  }
  wellFormedNames.add(name);
}

function copyObject(object: object, depth: number): Record<string, unknown> {
  if (!isPlain(object) || depth > deepest) {
    throw unusual;
  }
  const copy: Record<string, unknown> = { ...object };
  let place = 0;
  for (const name in copy) {
    if (lately[place & 15] !== name) {
      checkName(name);
      lately[place & 15] = name;
    }
    place++;
    const value = copy[name];
    switch (typeof value) {
      case "number":
      case "boolean":
        break;
      case "string":
        if (!isWellFormed(value)) {
          throw unusual;
        }
        break;
      default:
        if (!Object.hasOwn(copy, name)) {
          break; // somebody has added to every object
        }
        if (value === undefined) {
          return copyDefined(copy, depth);
        }
        copy[name] = copyValue(value, depth);
    }
  }
  return copy;
}

/** Copies what is not undefined. */
function copyDefined(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  return copyObject(Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)), depth);
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
      return copyList(value, depth + 1);
    default:
      throw unusual;
  }
}

function copyList(list: readonly unknown[], depth: number): unknown[] {
  const copy: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    copy.push(copyValue(list[i], depth));
  }
  return copy;
}
