/** What the engine and the handlers need to know of a registry; the registry itself knows the engine, so it is not named here. */
import type { Adapter } from "./adapter.js";
import type { Instance } from "./instance.js";
import type { Perform } from "./invocation.js";
import type { Spellings } from "./spellings.js";

/** A registry, as the engine sees it. */
export interface Tenant {
  /** Under which the program keeps the registry. */
  readonly number: number;
  /** Whether triggers are delivered; until then they are held back. */
  readonly started: boolean;
  /** The cache of identifiers that were looked up. */
  readonly spellings: Spellings;
  /** What handlers perform others with that are so deep in others themselves. */
  performAt(depth: number): Perform;
  /** Makes the adapter of the registry's host for one instance. */
  adapter(instance: Instance): Adapter;
  /** Is called after the program has ended and was started again. */
  restarted(reason: string): void;
}
