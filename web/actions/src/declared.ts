/** The types of identifiers and arguments: of the built-ins, of the application's own actions, and of all others. */
import type { Arguments, ArgumentValue } from "./arguments.js";
import type { BuiltinArguments } from "./builtins.js";

/**
 * The application's own actions, which it declares once for all registries of the page:
 *
 *     declare module "@rehearsal/actions" {
 *       interface ActionTypes {
 *         "open-cart": { arguments: { item: number }; value: string };
 *       }
 *     }
 *
 * From then on register, perform, trigger and groups check them, in whatever letter case they are written; identifiers that are not
 * declared stay allowed. A type may be given to one registry instead: `loadActions<MyActions>()`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- applications add to it
export interface ActionTypes {}

/** What {@link ActionTypes} and types in its place consist of. Both parts may be missing. */
export type Declared<T> = { readonly [I in keyof T]: { readonly arguments?: object; readonly value?: unknown } };

/** An identifier: any text. Editors offer the built-ins and what is declared. */
export type Identifier<T extends Declared<T> = ActionTypes> = keyof BuiltinArguments | (keyof T & string) | (string & {});

type Folded<T> = { [I in keyof T & string as Lowercase<I>]: T[I] };

/**
 * The arguments of an action, in whatever letter case it is written: a built-in's own, what is declared for the application's, and
 * any for everything else.
 */
export type ArgumentsOf<I extends string, T extends Declared<T> = ActionTypes> = Lowercase<I> extends keyof BuiltinArguments
  ? BuiltinArguments[Lowercase<I>]
  : Lowercase<I> extends keyof Folded<T>
    ? Folded<T>[Lowercase<I>] extends { readonly arguments: infer A extends object }
      ? A
      : Arguments
    : Arguments;

/** What a handler is given as arguments: those that are declared. */
export type HandlerArguments<T extends Declared<T>, I extends string> = Lowercase<I> extends keyof Folded<T>
  ? Folded<T>[Lowercase<I>] extends { readonly arguments: infer A extends object }
    ? A
    : { [name: string]: any }
  : { [name: string]: any };

/** What the handler of an action returns. */
export type ValueOf<T extends Declared<T>, I extends string> = Lowercase<I> extends keyof Folded<T>
  ? Folded<T>[Lowercase<I>] extends { readonly value: infer V }
    ? V
    : unknown
  : unknown;

/** What is given as arguments: an object literal, an interface and a record of unknown values alike. */
export type Given<T extends Declared<T>, I extends string, A> = Lowercase<I> extends keyof BuiltinArguments
  ? GivenBuiltin<T, BuiltinArguments[Lowercase<I>], A>
  : Lowercase<I> extends keyof Folded<T>
    ? ArgumentsOf<I, T>
    : A & Allowed<A>;

/** A list of actions is checked action by action, and a member that takes any arguments as those of an undeclared action. */
type GivenBuiltin<T extends Declared<T>, B, A> = B extends { readonly actions: readonly unknown[] }
  ? GivenGroup<T, A>
  : { [N in keyof B]: Arguments extends B[N] ? (A extends { readonly [M in N]: infer D extends object } ? D & Allowed<D> : B[N]) : B[N] };

type GivenGroup<T extends Declared<T>, A> = {
  readonly actions: A extends { readonly actions: infer L extends readonly unknown[] }
    ? { readonly [N in keyof L]: GivenItem<T, L[N]> }
    : readonly GivenItem<T, readonly [string, Arguments]>[];
};

type GivenItem<T extends Declared<T>, P> = P extends readonly [infer I extends string, infer A]
  ? readonly [identifier: I, arguments: Given<T, I, A>]
  : readonly [identifier: string, arguments: Arguments];

/** A value without the types that no argument can have. Unknown values are looked at when the action is performed. */
export type Allowed<V> = unknown extends V
  ? V
  : [V] extends [ArgumentValue]
    ? V
    : V extends symbol | Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | RegExp | Error | PromiseLike<unknown> | ((...args: never) => unknown)
      ? never
      : { readonly [name in keyof V]: Allowed<V[name]> };
