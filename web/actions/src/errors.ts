/** What an {@link ActionsError} may have as code. */
export type ActionsErrorCode =
  | "fetch_failed"
  | "wrong_type"
  | "wrong_version"
  | "blocked_by_policy"
  | "unsupported_browser"
  | "stopped"
  | "disposed"
  | "invalid_identifier"
  | "reserved_identifier"
  | "invalid_handler"
  | "invalid_link_rule";

/**
 * The error of this package. From loading: `fetch_failed` (the file could not be had), `wrong_type` (it is no
 * WebAssembly program), `wrong_version` (it belongs to another version of the package),
 * `blocked_by_policy` (the page's Content Security Policy does not allow WebAssembly), `unsupported_browser`. From registering:
 * `invalid_identifier`, `reserved_identifier`, `invalid_handler`. From a list of links: `invalid_link_rule`. From a registry that
 * was disposed of: `disposed`. When the program has ended and could not be started again: `stopped`.
 */
export class ActionsError extends Error {
  override readonly name = "ActionsError";
  /** The stable, machine-readable part. */
  readonly code: ActionsErrorCode;

  constructor(code: ActionsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How a capability of a host refuses. */
export type HostErrorCode = "blocked" | "failed" | "unsupported" | "canceled";

/**
 * What a capability of a host throws, or rejects with, to refuse: `blocked` (the platform said no: no gesture, no permission),
 * `unsupported` (it cannot do this here), `canceled` (the user did), `failed`. The action's status becomes the same.
 */
export class HostError extends Error {
  override readonly name = "HostError";
  /** The stable, machine-readable part. */
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
