// How values and places are written in a sentence.

import { wording } from "./wording.js";

/** Fills a sentence of wording.json. */
export const say = (name, parts = {}) => (wording[name] ?? "").replace(/\{(\w+)\}/g, (whole, part) => parts[part] ?? whole);

const encoder = new TextEncoder();
export const bytesOf = (text) => encoder.encode(text).length;

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A type that is allowed: printed as it is. */
export class Word {
  constructor(text) {
    this.text = text;
  }
}

export const escape = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const unescape = (token) => token.replaceAll("~1", "/").replaceAll("~0", "~");
export const tokens = (pointer) => pointer.split("/").slice(1).map(unescape);

/** The value that a JSON Pointer leads to: {value}, or undefined. */
export function follow(value, pointer) {
  for (const token of tokens(pointer)) {
    if (Array.isArray(value) ? !(/^\d+$/.test(token) && Number(token) < value.length) : !(isObject(value) && Object.hasOwn(value, token))) return undefined;
    value = value[token];
  }
  return { value };
}

// Texts are ordered by code points.
export function compareText(a, b) {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
  }
  return left.length - right.length;
}

const isIndex = (token) => /^[+-]?\d{1,18}$/.test(token);

/** Orders two tokens: indexes as numbers, before names. */
export function compareTokens(a, b) {
  if (isIndex(a) && isIndex(b) && Number(a) !== Number(b)) return Number(a) - Number(b);
  if (isIndex(a) !== isIndex(b)) return isIndex(a) ? -1 : 1;
  return compareText(a, b);
}

export function comparePointers(a, b) {
  const [left, right] = [tokens(a), tokens(b)];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareTokens(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const shownText = 60;
const namedTokens = 8;

// The beginning of a text: at most so many bytes, and whole characters.
function cut(text, most) {
  let head = "";
  let length = 0;
  for (const character of text) {
    length += bytesOf(character);
    if (length > most) return head;
    head += character;
  }
  return text;
}

const isPrintable = (character) => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
const escapes = { '"': '\\"', "\\": "\\\\", "\x07": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v" };

/** Writes a text in quotes. */
function quote(text) {
  let quoted = "";
  for (const character of text) {
    const code = character.codePointAt(0);
    const hex = code.toString(16);
    if (Object.hasOwn(escapes, character)) quoted += escapes[character];
    else if (isPrintable(character)) quoted += character;
    else if (code < 0x80) quoted += `\\x${hex.padStart(2, "0")}`;
    else quoted += code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  }
  return `"${quoted}"`;
}

function short(name) {
  let head = cut(name, shownText);
  if (head.length < name.length) head += "...";
  return Array.from(head).every(isPrintable) ? head : quote(head);
}

/** Writes a JSON Pointer as a person would: events[0], filter.segment. */
export function fieldName(pointer) {
  let path = tokens(pointer);
  let name = "";
  if (path.length > namedTokens) {
    name = "...";
    path = path.slice(-namedTokens);
  }
  for (const token of path) {
    if (isIndex(token)) name += `[${token}]`;
    else name += (name && ".") + short(token);
  }
  return name || say("the value");
}

export function count(number, noun) {
  if (number === 0) return say(`${noun} none`);
  if (number === 1) return say(`${noun} one`);
  return say(noun, { count: String(number) });
}

export function sizeOf(value) {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** Writes a value that was found, cut short if it is long. */
export function describe(value) {
  if (typeof value === "string") {
    const head = cut(value, shownText);
    return head.length < value.length ? say("long", { head: quote(head), bytes: String(bytesOf(value) - bytesOf(head)) }) : quote(value);
  }
  if (Array.isArray(value)) return say("array", { items: count(value.length, "item") });
  return isObject(value) ? say("object") : short(String(value));
}

/** Writes a value whose type is wrong. */
export function describeKind(value) {
  const kind = say(`kind ${typeof value}`, { value: describe(value) });
  return kind || describe(value);
}

/** Writes a value for a sentence: simple words as they are, other text in quotes. */
export function plain(value) {
  if (value instanceof Word) return value.text;
  if (value === "") return say("empty");
  if (typeof value === "string" && /^[A-Za-z0-9_.$:/-]+$/.test(value) && value.length <= shownText) return value;
  return describe(value);
}

/** Writes the values to choose from: a, b or c. */
export function listValues(values) {
  const words = values.map(plain);
  if (words.length === 0) return say("nothing");
  if (words.length === 1) return words[0];
  const list = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return words.length === 2 || values[0] instanceof Word ? list : say("choice", { list });
}

export function number(value) {
  return value.toFixed(9).replace(/0+$/, "").replace(/\.$/, "");
}

// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
function distance(a, b) {
  const longest = 64;
  if (a.length > longest || b.length > longest) return 2 * longest;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      row[j + 1] = Math.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] === b[j] ? 0 : 1));
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) row[j + 1] = Math.min(row[j + 1], before[j - 1] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

// The candidate that a misspelt word was probably meant to be, or "".
function likely(word, candidates) {
  let best = "";
  let bestDistance = 1 + Math.min(3, Math.floor(bytesOf(word) / 3));
  const a = word.toLowerCase();
  const bytes = encoder.encode(a);
  for (const candidate of word === "" ? [] : candidates) {
    const b = candidate.toLowerCase();
    const other = encoder.encode(b);
    let apart = distance(bytes, other);
    if (bytes.length > 3 && other.length > 3 && (a.startsWith(b) || b.startsWith(a))) apart = Math.min(apart, 2);
    if (apart < bestDistance) [best, bestDistance] = [candidate, apart];
  }
  return best === word ? "" : best;
}

/** Closes a message with a suggestion, if there is a likely one. */
export function suggestion(name, candidates) {
  const word = typeof name === "string" ? likely(name, candidates.filter((candidate) => typeof candidate === "string")) : "";
  return word && say("suggestion", { word });
}

const likeDate = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|[+-]\d{2}:\d{2})?$/;

/** Says what is wrong with a text that looks as a date should, or "". */
export function dateHint(text) {
  const [, date, hour, minute, second, fraction = ""] = likeDate.exec(text) ?? [];
  if (!date) return "";
  const [year, month, day] = date.split("-").map(Number);
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  if (month < 1 || month > 12 || day < 1 || day > last.getUTCDate()) return say("date", { date });
  if (hour > 23 || minute > 59 || second > 59) return say("time");
  const limit = 9;
  return fraction.length > limit ? say("fraction", { digits: String(fraction.length), limit: String(limit) }) : "";
}
