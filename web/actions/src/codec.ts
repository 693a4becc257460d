/**
 * How values cross between the page and the WebAssembly program; the other half is wasm/internal/wire. One byte says what a value
 * is, what follows is little-endian.
 */
import { Utf8Decoder, Utf8Encoder } from "./utf8.js";
import { isPlain, isWellFormed } from "./values.js";

const enum Tag {
  Null,
  False,
  True,
  Int,
  Uint,
  Float,
  Text,
  List,
  Map,
  Foreign,
  Reference,
  Kept,
}

/** A value that the page keeps: only its number crosses. */
export class Reference {
  constructor(readonly number: number) {}
}

/** An object that the page keeps, of which only the number crosses. Whoever is given it on this side is given a copy. */
export class Kept {
  constructor(readonly number: number) {}
}

/** What in a list of two values crosses in place of the second one, if something does. */
export type Keep = (pair: readonly unknown[]) => Kept | undefined;

/** The longest text that is written and read letter by letter: up to here that is quicker. */
const short = 40;

/** Nesting below this is written; the program refuses less than that. */
const deepest = 140;

const utf8 = new Utf8Encoder();
const smallestBigint = -(2n ** 63n);
const largestBigint = 2n ** 64n - 1n;
const largestSigned = 2n ** 63n - 1n;

/** Writes values. */
export class Encoder {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private length = 0;
  private tooDeep = false;
  private keep: Keep | undefined;

  /** Returns the bytes of a value. They are good until the next call. */
  encode(value: unknown, keep?: Keep): Uint8Array {
    if (this.bytes.length > 1 << 20) {
      this.bytes = new Uint8Array(256);
      this.view = new DataView(this.bytes.buffer);
    }
    this.length = 0;
    this.tooDeep = false;
    this.keep = keep;
    this.value(value, 0);
    return this.bytes.subarray(0, this.length);
  }

  private room(n: number): number {
    const at = this.length;
    this.length += n;
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(this.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return at;
  }

  private tag(tag: Tag, size: number): number {
    const at = this.room(1 + size);
    this.bytes[at] = tag;
    return at + 1;
  }

  private value(value: unknown, depth: number): void {
    switch (typeof value) {
      case "undefined":
        this.tag(Tag.Null, 0);
        break;
      case "boolean":
        this.tag(value ? Tag.True : Tag.False, 0);
        break;
      case "string":
        this.tag(Tag.Text, 0);
        this.text(value);
        break;
      case "number":
        this.number(value);
        break;
      case "bigint":
        this.bigint(value);
        break;
      case "object":
        this.object(value, depth);
        break;
      default:
        this.tag(Tag.Foreign, 0);
    }
  }

  private number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      const at = this.tag(Tag.Float, 8);
      this.view.setFloat64(at, value, true);
      return;
    }
    const at = this.tag(Tag.Int, 8);
    this.view.setUint32(at, value >>> 0, true);
    this.view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  private bigint(value: bigint): void {
    if (value < smallestBigint || value > largestBigint) {
      this.tag(Tag.Foreign, 0);
      return;
    }
    const at = this.tag(value > largestSigned ? Tag.Uint : Tag.Int, 8);
    this.view.setBigUint64(at, BigInt.asUintN(64, value), true);
  }

  private text(text: string): void {
    if (text.length <= short && this.shortText(text)) {
      return;
    }
    if (!isWellFormed(text)) {
      this.damagedText(text);
      return;
    }
    const at = this.room(4 + text.length * 3);
    const { written } = utf8.encodeInto(text, this.bytes.subarray(at + 4));
    this.view.setUint32(at, written, true);
    this.length = at + 4 + written;
  }

  /** Writes a text of ASCII. Says whether it was one. */
  private shortText(text: string): boolean {
    const { length } = text;
    const at = this.room(4 + length);
    const { bytes } = this;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      if (c > 127) {
        this.length = at;
        return false;
      }
      bytes[at + 4 + i] = c;
    }
    this.view.setUint32(at, length, true);
    return true;
  }

  /** Writes a lone surrogate as the byte 0xFF, which is nothing in UTF-8: the program replaces it by its own rule. */
  private damagedText(text: string): void {
    const start = this.room(4);
    for (const character of text) {
      if (isWellFormed(character)) {
        const at = this.room(4);
        this.length = at + utf8.encodeInto(character, this.bytes.subarray(at, at + 4)).written;
      } else {
        const at = this.room(1);
        this.bytes[at] = 0xff;
      }
    }
    this.view.setUint32(start, this.length - start - 4, true);
  }

  private object(value: object | null, depth: number): void {
    if (value === null || this.tooDeep) {
      this.tag(Tag.Null, 0);
      return;
    }
    if (depth > deepest) {
      this.tooDeep = true; // what follows does not matter any more, and there may be no end to it
      this.tag(Tag.Null, 0);
      return;
    }
    const start = this.length;
    try {
      if (value instanceof Reference) {
        const at = this.tag(Tag.Reference, 4);
        this.view.setInt32(at, value.number, true);
      } else if (value instanceof Kept) {
        const at = this.tag(Tag.Kept, 4);
        this.view.setInt32(at, value.number, true);
      } else if (Array.isArray(value)) {
        this.list(value, depth);
      } else if (isPlain(value)) {
        this.map(value as Record<string, unknown>, depth);
      } else {
        this.tag(Tag.Foreign, 0);
      }
    } catch {
      this.length = start; // it throws when it is read
      this.tag(Tag.Foreign, 0);
    }
  }

  private list(list: readonly unknown[], depth: number): void {
    const count = list.length;
    const at = this.tag(Tag.List, 4);
    this.view.setUint32(at, count, true);
    const kept = count === 2 ? this.keep?.(list) : undefined;
    for (let i = 0; i < count; i++) {
      this.value(i === 1 && kept !== undefined ? kept : list[i], depth + 1);
    }
  }

  private map(map: Record<string, unknown>, depth: number): void {
    const at = this.tag(Tag.Map, 4);
    let count = 0;
    for (const name of Object.keys(map)) {
      const value = map[name];
      if (value !== undefined) {
        count++;
        this.text(name);
        this.value(value, depth + 1);
      }
    }
    this.view.setUint32(at, count, true);
  }
}

// A text may begin with U+FEFF, and keeps it: the page must see what the program has judged.
const decoder = new Utf8Decoder("utf-8", { ignoreBOM: true });

/** How many short texts are remembered; a power of two. */
const places = 256;

/** Texts that were read lately: the names and statuses of results, the names of arguments. Making one anew costs more than to compare. */
const lately = new Array<string>(places).fill("");

/** Reads values out of a memory. */
export class Decoder {
  private at = 0;
  private readonly view: DataView;

  /** give gives what the page keeps under a number, and copy a copy of an object that it keeps. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly give: (number: number) => unknown,
    private readonly copy: (number: number) => unknown,
  ) {
    this.view = new DataView(bytes.buffer);
  }

  /** Whether the memory has grown, so that this one reads nothing any more. */
  get stale(): boolean {
    return this.bytes.length === 0;
  }

  /** Reads the value at an address. */
  read(address: number): unknown {
    this.at = address;
    return this.value();
  }

  private count(): number {
    const count = this.view.getUint32(this.at, true);
    this.at += 4;
    return count;
  }

  private text(): string {
    const length = this.count();
    const start = this.at;
    this.at += length;
    return length <= short ? this.shortText(start, length) : this.longText(start, length);
  }

  private longText(start: number, length: number): string {
    return decoder.decode(this.bytes.subarray(start, start + length));
  }

  private shortText(start: number, length: number): string {
    const { bytes } = this;
    const place = (length * 7 + bytes[start]! * 5 + bytes[start + (length >> 1)]! * 41 + bytes[start + length - 1]! * 113) & (places - 1);
    const text = lately[place]!;
    let same = text.length === length;
    for (let i = 0; same && i < length; i++) {
      const byte = bytes[start + i]!;
      same = byte < 128 && text.charCodeAt(i) === byte; // a byte of any other text is no character
    }
    return same ? text : (lately[place] = this.longText(start, length));
  }

  /** Reads the next value. */
  private value(): unknown {
    switch (this.bytes[this.at++] as Tag) {
      case Tag.False:
        return false;
      case Tag.True:
        return true;
      case Tag.Int:
        return this.integer();
      case Tag.Uint:
        return this.unsigned();
      case Tag.Float:
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
      case Tag.Text:
        return this.text();
      case Tag.List:
        return this.list();
      case Tag.Map:
        return this.map();
      case Tag.Reference:
        return this.give(this.count());
      case Tag.Kept:
        return this.copy(this.count());
      default:
        return null;
    }
  }

  private integer(): number | bigint {
    this.at += 8;
    const number = this.view.getInt32(this.at - 4, true) * 2 ** 32 + this.view.getUint32(this.at - 8, true);
    return Number.isSafeInteger(number) ? number : this.view.getBigInt64(this.at - 8, true);
  }

  private unsigned(): number | bigint {
    this.at += 8;
    const value = this.view.getBigUint64(this.at - 8, true);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  private list(): unknown[] {
    const list: unknown[] = [];
    for (let left = this.count(); left > 0; left--) {
      list.push(this.value());
    }
    return list;
  }

  private map(): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let left = this.count(); left > 0; left--) {
      const name = this.text();
      const value = this.value();
      if (name === "__proto__") {
        Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
      } else {
        map[name] = value;
      }
    }
    return map;
  }
}
