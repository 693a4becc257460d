/**
 * The interface of the package. What an action is, the built-in ones and their arguments: actions module, sections 1 and 2;
 * the operations: section 4; the limits: section 8.
 */

import type { Arguments } from "./arguments.js";
import type { CapabilityName } from "./builtins.js";
import type { ActionTypes, Declared, Given, HandlerArguments, Identifier, ValueOf } from "./declared.js";

export type * from "./arguments.js";
export type * from "./builtins.js";
export type * from "./declared.js";

/** What caused an action to run. Kinds that exist: `manual` and `push`; any other text is a kind as well. */
export interface Source {
  readonly kind: string;
  /** What came with it, such as the payload of a push message. */
  readonly payload?: { readonly [name: string]: unknown };
}

/** What a handler is given. */
export interface Invocation<T extends Declared<T> = ActionTypes, I extends string = string> {
  /** The identifier as it was registered, not as it was asked for. */
  readonly identifier: string;
  /** The arguments. They belong to the handler. */
  readonly arguments: HandlerArguments<T, I>;
  /** What caused the action to run. */
  readonly source: Source;
  /**
   * Performs another action from inside this one. Unlike {@link Actions.perform} it keeps count of the nesting after the handler
   * has awaited something, so that actions which perform each other for ever fail.
   */
  perform<const J extends Identifier<T>, const A extends object = Arguments>(
    identifier: J,
    args?: Given<T, J, A> | null,
  ): Promise<Result<ValueOf<T, J>>>;
}

/**
 * The code of an action. It is called in the call stack of `perform`, so that a gesture of the user's still counts. What it
 * returns is the value of the result; a promise is awaited. Whatever it throws or rejects with makes the action `failed`.
 */
export type Handler<T extends Declared<T> = ActionTypes, I extends string = string> = (
  invocation: Invocation<T, I>,
) => ValueOf<T, I> | PromiseLike<ValueOf<T, I>>;

/** How a perform ended. */
export type Status =
  | "performed"
  | "not_found"
  | "invalid_arguments"
  | "unsupported"
  | "blocked"
  | "failed"
  | "canceled"
  | "partial";

/** What a perform yields. */
export interface Result<V = unknown> {
  readonly status: Status;
  /** One sentence for a person; not there when the action was performed. */
  readonly message?: string;
  /**
   * What the handler returned, as it is. The built-ins that ask for a permission give the resulting permission, service.rating
   * gives "requested".
   */
  readonly value?: V;
  /** What the handler or the host threw, as it is. */
  readonly cause?: unknown;
  /** One result per item of a group that ran, in order. */
  readonly items?: readonly Result[];
}

/** A registered action. */
export interface Registration {
  /** The identifier as it was registered. */
  readonly identifier: string;
  /** Removes this registration, and never a newer one of the same identifier. Says whether it did. */
  unregister(): boolean;
}

/** A reason why perform would refuse an action. */
export interface Problem {
  /** A JSON Pointer into the arguments, such as `/actions/3/0`; empty for the action as a whole. */
  readonly pointer: string;
  /** The status it leads to. */
  readonly status: Status;
  readonly message: string;
}

/** What {@link Actions.validate} yields. */
export interface Validation {
  readonly ok: boolean;
  /** Every reason, sorted by place. */
  readonly problems: readonly Problem[];
}

/** Whether an action can do anything here and now. */
export interface Capability {
  readonly state: "available" | "needs_gesture" | "unsupported";
}

/** What listeners are told. */
export interface ActionsEvents {
  registered: { readonly identifier: string };
  unregistered: { readonly identifier: string };
  /** An action is about to run. The identifier is spelled as it was asked for. Items of a group are not told one by one. */
  performing: { readonly identifier: string; readonly arguments: Arguments; readonly source: Source };
  /** It has ended. */
  performed: { readonly identifier: string; readonly arguments: Arguments; readonly source: Source; readonly result: Result };
  /** The WebAssembly instance had ended and a new one was made; registrations are the same. */
  restarted: { readonly reason: string };
}

/** Options of one perform. */
export interface PerformOptions {
  /** Ends the action as `canceled`. What a handler still does is ignored; of a group no further item is begun. */
  readonly signal?: AbortSignal;
}

/** Options of a registry of its own. */
export interface RegistryOptions {
  /** What the built-ins act on. Nothing by default: they are `unsupported`. */
  readonly host?: Host;
  /** What the host runs on: rules for links and for versions depend on it. `web` by default. */
  readonly platform?: "web" | "ios" | "android";
  /** The platform's version, such as `17.2`; the newest by default. */
  readonly version?: string;
  /**
   * The only links that service.deeplink opens: `scheme:`, `https://host`, `https://*.host`, `https://host/path`. Not given: every
   * link but those with a scheme that runs code.
   */
  readonly allowedLinks?: readonly string[];
}

/** Options of {@link loadActions}. The host is {@link browserHost} by default. */
export interface LoadOptions extends RegistryOptions {
  /** Says where a file of the package is served; by default beside the module. The only name is `actions.wasm`. */
  readonly locateFile?: (name: string) => string | URL;
  /** The hash that the fetched program must have, as `dist/integrity.json` names it: `sha384-...`. Not looked at where files are read. */
  readonly integrity?: string;
  /**
   * The program itself, in place of a file: a compiled module, its bytes or an answer that has them, also as a promise. For places that
   * compile or fetch nothing by themselves: edge runtimes, pages from disk, pages of one file. A new value is another program.
   */
  readonly program?: Program | Promise<Program>;
}

/** What {@link LoadOptions.program} takes. */
export type Program = WebAssembly.Module | BufferSource | Response;

/** A registry of actions. `T` are the application's own ones: see {@link ActionTypes}. */
export interface Actions<T extends Declared<T> = ActionTypes> {
  /** The version of the package. */
  readonly version: string;
  /**
   * Makes an action runnable. A second registration of an identifier replaces the first. Identifiers compare case-insensitively
   * and are not trimmed. Do it each time the page loads, before {@link start}.
   *
   * @throws {ActionsError} `invalid_identifier` for a blank identifier or no text, `reserved_identifier` for one that begins with
   * `service.` in any letter case, `invalid_handler` when the handler is no function.
   */
  register<I extends Identifier<T>>(identifier: I, handler: Handler<T, I>): Registration;
  /**
   * Removes what is registered under an identifier and says whether there was something.
   *
   * @throws {ActionsError} `reserved_identifier` for the identifiers of built-ins.
   */
  unregister(identifier: string): boolean;
  /** Runs an action, registered or built in, with the source `manual`. Never rejects and is never held. */
  perform<const I extends Identifier<T>, const A extends object = Arguments>(
    identifier: I,
    args?: Given<T, I, A> | null,
    options?: PerformOptions,
  ): Promise<Result<ValueOf<T, I>>>;
  /** Runs an action with a source, `manual` when there is none. Held until {@link start}, at most 100 of them. Never rejects. */
  trigger<const I extends Identifier<T>, const A extends object = Arguments>(
    identifier: I,
    args?: Given<T, I, A> | null,
    source?: Source,
    options?: PerformOptions,
  ): Promise<Result<ValueOf<T, I>>>;
  /** Says what perform would refuse, and has no effect. The arguments are of any type: to find out is what it is for. */
  validate(identifier: string, args?: object | null): Validation;
  /** Says whether an action can do anything here and now, so that a button for it may be shown or not. */
  capability(identifier: string): Capability;
  /** The registered identifiers as they were registered, sorted. */
  list(): string[];
  /** Delivers the triggers that were held, once and in order. A second start does nothing. */
  start(): void;
  /** Has a listener called. Gives a function that ends it. */
  on<E extends keyof ActionsEvents>(event: E, listener: (detail: ActionsEvents[E]) => void): () => void;
  /** Gives this registry another host. Actions under way keep theirs. */
  setHost(host: Host): void;
  /** Makes a second, independent registry in the same WebAssembly instance. @throws {ActionsError} `invalid_link_rule` */
  create<U extends Declared<U> = T>(options?: RegistryOptions): Actions<U>;
  /**
   * Forgets this registry, with everything registered. What is called afterwards is `failed`, or throws `disposed`. That of
   * {@link loadActions} undoes one call of it; the last one forgets the registry, and the next call makes a new one.
   */
  dispose(): void;
}

/** A registry that is there before the program is: see {@link createActions}. */
export interface LoadableActions<T extends Declared<T> = ActionTypes> extends Actions<T> {
  /** Whether the program is there, so that `perform` calls handlers in its own call stack. */
  readonly loaded: boolean;
  /**
   * Loads the program, unless that is done or under way; without it the first perform or trigger does. Rejects with an ActionsError as
   * {@link loadActions} does. What is registered stays, and the next call tries again.
   */
  load(): Promise<void>;
}

/** The state of a permission. */
export type Permission = "not_determined" | "denied" | "authorized" | "restricted";

/** An event as service.user.event sends it. */
export interface UserEvent {
  readonly name: string;
  readonly label: string | null;
  readonly tags: readonly string[];
  readonly data: { readonly [name: string]: unknown };
}

type Maybe<T> = T | Promise<T>;

/**
 * What the built-ins act on: capabilities, each of which may be missing. Every method may return a promise; a status should not,
 * where the next step needs the user's gesture. A capability refuses by throwing a {@link HostError}; anything else that is
 * thrown makes the action `failed`. Which capabilities there are is read once, when the host is given.
 */
export interface Host {
  /** Dismisses the message that the action came from. */
  readonly dismisser?: { dismiss(): unknown };
  /** Opens a link. `inApp` asks for it to be opened inside the app. */
  readonly linkOpener?: { open(url: string, options: { readonly inApp: boolean }): unknown };
  /** Is asked before a link is opened; `true` says that it was handled. */
  readonly interceptor?: { handle(url: string): Maybe<boolean> };
  /** The permission for notifications; `request` shows the prompt and gives the state after it. */
  readonly notifications?: { status(): Maybe<Permission>; request(): Maybe<Permission | undefined> };
  /** Opens the settings: the page for notifications, or the app's. */
  readonly settings?: { open(page: "notifications" | "app"): unknown };
  /** Replaces what is on the clipboard. */
  readonly clipboard?: { write(text: string): unknown };
  /** Asks the system to ask for a review. */
  readonly reviewer?: { request(): unknown };
  /** The consent to tracking; `request` shows the prompt and gives the state after it. */
  readonly tracking?: { status(): Maybe<Permission>; request(): Maybe<Permission | undefined> };
  /** Keeps what is known of the current user. */
  readonly userData?: {
    addTag(collection: string, tag: string): unknown;
    removeTag(collection: string, tag: string): unknown;
    sendEvent(event: UserEvent): unknown;
  };
  /** Says whether using a capability now would need a gesture of the user's that is not there. */
  needsGesture?(capability: CapabilityName): boolean;
}
