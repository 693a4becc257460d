import { wellFormed } from "./values.js";

/**
 * Says in a text what was thrown. Anything can be thrown: texts, null, frozen objects, errors of another frame, a proxy that
 * throws in turn. The text is never empty.
 */
export function describeThrown(thrown: unknown): string {
  return wellFormed(describe(thrown));
}

function describe(thrown: unknown): string {
  switch (typeof thrown) {
    case "string":
      return thrown === "" ? "threw an empty text" : thrown;
    case "object":
    case "function":
      return describeObject(thrown);
    default:
      return "threw " + String(thrown);
  }
}

function describeObject(thrown: object | null): string {
  if (thrown === null) {
    return "threw null";
  }
  try {
    const message: unknown = (thrown as { message?: unknown }).message;
    if (typeof message === "string" && message !== "") {
      return message;
    }
    const name: unknown = (thrown as { name?: unknown }).name;
    if (typeof name === "string" && name !== "") {
      return "threw " + name;
    }
    return "threw an object without a message";
  } catch {
    return "threw an object that cannot be read";
  }
}

/** Reads the code with which a host refuses, or says `failed`. */
export function codeOfThrown(thrown: unknown): string {
  try {
    const code: unknown = (thrown as { code?: unknown } | null)?.code;
    return typeof code === "string" ? code : "failed";
  } catch {
    return "failed";
  }
}

/** Says whether a value has to be awaited. Reading it may throw. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
