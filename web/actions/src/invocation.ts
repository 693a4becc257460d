import type { Invocation, Result, Source } from "./types.js";

/** The source of everything that application code asks for. */
export const manual: Source = Object.freeze({ kind: "manual" });

/** A result whose value is of the type that the application has declared. */
export type AnyResult = Result<any>;

/** Performs actions from within a handler, which is `depth` handlers deep. */
export interface Performer {
  performInside(depth: number, identifier: string, args?: object | null): Promise<AnyResult>;
}

/** What a handler is given. */
export class RunningInvocation implements Invocation {
  readonly identifier: string;
  readonly arguments: { [name: string]: any };
  readonly source: Source;
  readonly #performer: Performer;
  readonly #depth: number;

  constructor(performer: Performer, depth: number, identifier: string, args: { [name: string]: unknown }, source: Source) {
    this.identifier = identifier;
    this.arguments = args;
    this.source = source;
    this.#performer = performer;
    this.#depth = depth;
  }

  /** A function of its own, for handlers take it out of the invocation; made when it is asked for, for most never do. */
  get perform(): Invocation["perform"] {
    const performer = this.#performer;
    const depth = this.#depth;
    return (identifier: string, args?: object | null) => performer.performInside(depth, identifier, args);
  }
}
