/** What the arguments of actions are made of. */

/**
 * A value that can be an argument of an action. Whole numbers are exact to 64 bits: a handler is given those within
 * ±(2^53 − 1) as numbers and larger ones as bigints, whichever of the two they were given as. Functions, symbols, dates, maps
 * and instances of classes are refused as `invalid_arguments`. `undefined` is left out of objects and is null in arrays. A lone
 * surrogate in a text becomes U+FFFD.
 */
export type ArgumentValue =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | readonly ArgumentValue[]
  | { readonly [name: string]: ArgumentValue };

/** The arguments of an action. They are copied when an action is performed: a later change is not seen. */
export type Arguments = { readonly [name: string]: ArgumentValue };
