/** Text as bytes. Documents that test runners imitate may lack the classes for it, which Node then has. */
import { builtin } from "./node.js";

const has = typeof TextEncoder === "function" && typeof TextDecoder === "function";
const classes = has ? { TextEncoder, TextDecoder } : builtin("node:util")!;

export const Utf8Encoder = classes.TextEncoder;
export const Utf8Decoder = classes.TextDecoder;
