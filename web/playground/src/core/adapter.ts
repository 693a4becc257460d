// The one place that knows the package @rehearsal/actions. Everything else of the page talks in the names of this file.

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
  /** Makes a registry of its own for a host; any number of them live side by side. */
  create: Actions["create"];
  /** The host of this browser, with what the page supplies to it. */
  browserHost: typeof browserHost;
  version: string;
}

/** Loads the package and its WebAssembly. Rejects with one clear sentence; may be called again. */
export async function loadCore(): Promise<Core> {
  const actions = await loadActions({ host: {} });
  return { create: (options) => actions.create(options), browserHost, version: actions.version };
}

/** The code of an error that the package threw, such as `reserved_identifier`; "" when it has none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** The sentence of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
