// Paths to values, and the pointers that write them.

/** The names and indices that lead to a value. */
export type Path = readonly (string | number)[];

/** The path of a JSON Pointer, with its numbers as indices. */
export const stepsOf = (pointer: string): Path => pathOfPointer(pointer).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));

/** Splits a JSON Pointer. */
function pathOfPointer(pointer: string): Path {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
