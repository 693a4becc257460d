import type { Result, Source } from "./types.js";

/** The source of everything that application code asks for. */
export const manual: Source = Object.freeze({ kind: "manual" });

/** A result whose value is of the type that the application has declared. */
export type AnyResult = Result<any>;

/** Performs actions from within a handler. It needs no `this`, for handlers take it out of the invocation. */
export type Perform = (identifier: string, args?: object | null) => Promise<AnyResult>;
