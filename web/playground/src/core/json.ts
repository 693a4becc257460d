// JSON as a user types it, with whole numbers exact to 64 bits.

/** The result of parsing: a value, or a fault with its offset. */
export type Parsed = { ok: true; value: unknown } | { ok: false; message: string; offset: number };

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

// A whole number that a double cannot hold becomes a bigint, where the browser shows a reviver what was written.
const exact: Reviver = (_key, value, context) => {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !context?.source || !/^-?\d+$/.test(context.source))
    return value;
  const whole = BigInt(context.source);
  return BigInt.asIntN(64, whole) === whole || BigInt.asUintN(64, whole) === whole ? whole : value;
};

/** Reads JSON. Blank text is an empty object. A fault is told in the words of the browser, with the place where the browser gives one. */
export function parse(text: string): Parsed {
  if (text.trim() === "") return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(text, exact) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, at, line = "", column = ""] = /position (\d+)|line (\d+) column (\d+)/.exec(message) ?? [];
    const before = text.split("\n").slice(0, Number(line) - 1);
    return { ok: false, message, offset: at === undefined ? before.join("\n").length + Number(column) : Number(at) };
  }
}

/** JSON with a member a line; other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Reads JSON that has to be an object. */
export function parseObject(
  text: string,
): { ok: true; value: Record<string, unknown> } | { ok: false; message: string; offset: number } {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  if (parsed.value === null || typeof parsed.value !== "object" || Array.isArray(parsed.value)) {
    return { ok: false, message: "an object is required: { … }", offset: 0 };
  }
  return { ok: true, value: parsed.value as Record<string, unknown> };
}

/** Writes a value as JSON, bigints as the numbers they are. Short values stay on one line. */
export function write(value: unknown, indent = 2): string {
  const flat = print(value, 0, "", 0);
  return indent === 0 || flat.length <= 60 ? flat : print(value, indent, "", 60);
}

function print(value: unknown, indent: number, margin: string, width: number): string {
  if (typeof value === "bigint") return value.toString();
  if (value === undefined) return "undefined";
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? String(value);
  const list = Array.isArray(value);
  const inner = margin + " ".repeat(indent);
  const parts = list
    ? value.map((item) => print(item, indent, inner, width))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${print(item, indent, inner, width)}`);
  const [open, close] = list ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const line = list ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (indent === 0 || (margin !== "" && line.length + margin.length <= width && !line.includes("\n"))) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

/** The same value with the members of its objects in alphabetical order. Copies come without an order of their own. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
