import type { SchemaName } from "./index.js";

/** One fault of a value. */
export interface Problem {
  /** The JSON Pointer to the value at fault, or to the member that is missing. */
  readonly pointer: string;
  /** The keyword that refuses the value; "false" where the member may not be there at all. */
  readonly keyword: string;
  /** Names the field, what was found, what is allowed, and what was probably meant. */
  readonly message: string;
}

/** Says that a value does not fit its schema. */
export declare class InvalidError extends Error {
  /** The path of the schema file. */
  readonly schema: SchemaName;
  /** The faults, sorted by pointer; never empty. */
  readonly problems: readonly Problem[];
}

/** What names a schema: its file, with or without .json, or the kind of an export (userbase, profiles.events). */
export type SchemaReference = SchemaName | (string & {});

/** Checks values against the schemas, and says of those that do not fit what is wrong and what to do. */
export declare class Validator {
  /** The faults of a value, sorted; empty when it fits. A name that no schema has is a RangeError. */
  problems(name: SchemaReference, value: unknown): Problem[];
  /** Throws an InvalidError unless the value fits. */
  validate(name: SchemaReference, value: unknown): void;
}
