import type { Registry } from "./registry.js";
import type { Arguments, Invocation, Result, Source } from "./types.js";

/** The source of everything that application code asks for. */
export const manual: Source = Object.freeze({ kind: "manual" });

/** What a handler is given. */
export class RunningInvocation implements Invocation {
  readonly identifier: string;
  readonly arguments: { [name: string]: any };
  readonly source: Source;
  readonly #registry: Registry;
  readonly #depth: number;

  constructor(registry: Registry, depth: number, identifier: string, args: { [name: string]: unknown }, source: Source) {
    this.identifier = identifier;
    this.arguments = args;
    this.source = source;
    this.#registry = registry;
    this.#depth = depth;
  }

  perform(identifier: string, args?: Arguments): Promise<Result> {
    return this.#registry.performInside(this.#depth, identifier, args);
  }
}
