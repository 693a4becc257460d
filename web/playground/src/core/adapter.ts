// The adapter of the package @rehearsal/actions: no other file of the page imports it.

import { browserHost, loadActions, type Actions } from "@rehearsal/actions";

/** What a capability throws to refuse. */
export { HostError } from "@rehearsal/actions";
/** The types of the package that the page uses. */
export type {
  Actions,
  Arguments,
  CapabilityName,
  Host,
  Invocation,
  Permission,
  Problem,
  Result,
  Source,
  Status,
  UserEvent,
} from "@rehearsal/actions";

/** What the page needs of the package once it is loaded. */
export interface Core {
  /** Creates an independent registry for a host. */
  create: Actions["create"];
  /** The host of this browser, with what the page supplies to it. */
  browserHost: typeof browserHost;
}

/** Loads the package and its WebAssembly. Rejects with an error whose message can be shown; may be called again. */
export async function loadCore(): Promise<Core> {
  const actions = await loadActions({ host: {} });
  return { create: (options) => actions.create(options), browserHost };
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
