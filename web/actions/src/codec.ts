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
}

/** A value that the page keeps: only its number crosses. */
export class Reference {
  constructor(readonly number: number) {}
}

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

  /** Returns the bytes of a value. They are good until the next call. */
  encode(value: unknown): Uint8Array {
    if (this.bytes.length > 1 << 20) {
      this.bytes = new Uint8Array(256);
      this.view = new DataView(this.bytes.buffer);
    }
    this.length = 0;
    this.tooDeep = false;
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
    if (!isWellFormed(text)) {
      this.damagedText(text);
      return;
    }
    const at = this.room(4 + text.length * 3);
    const { written } = utf8.encodeInto(text, this.bytes.subarray(at + 4));
    this.view.setUint32(at, written, true);
    this.length = at + 4 + written;
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
    for (let i = 0; i < count; i++) {
      this.value(list[i], depth + 1);
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

/** Reads values. */
export class Decoder {
  private at = 0;

  /** keep gives what the page keeps under a number. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly kept: (number: number) => unknown,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  private readonly view: DataView;

  private count(): number {
    const count = this.view.getUint32(this.at, true);
    this.at += 4;
    return count;
  }

  private text(): string {
    const length = this.count();
    this.at += length;
    return decoder.decode(this.bytes.subarray(this.at - length, this.at));
  }

  /** Reads the next value. */
  value(): unknown {
    switch (this.bytes[this.at++] as Tag) {
      case Tag.False:
        return false;
      case Tag.True:
        return true;
      case Tag.Int:
        return this.integer(this.view.getBigInt64(this.at, true));
      case Tag.Uint:
        return this.integer(this.view.getBigUint64(this.at, true));
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
        return this.kept(this.count());
      default:
        return null;
    }
  }

  private integer(value: bigint): number | bigint {
    this.at += 8;
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
