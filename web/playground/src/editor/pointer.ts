// Paths to values, and the pointers that write them.

/** The names and indices that lead to a value. */
export type Path = readonly (string | number)[];

/** Splits a JSON Pointer. */
export function pathOfPointer(pointer: string): Path {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
