import { describeThrown } from "./thrown.js";
import type { Result } from "./types.js";

/** The result of a handler that returned. */
export function performed(value: unknown): Result {
  return value === undefined ? { status: "performed" } : { status: "performed", value };
}

/** The result of a handler that returned a promise. */
export async function settled(value: PromiseLike<unknown>): Promise<Result> {
  try {
    return performed(await value);
  } catch (thrown) {
    return { status: "failed", message: describeThrown(thrown), cause: thrown };
  }
}
