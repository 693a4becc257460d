/** What an object is, in a word, where its members would not say; undefined where they do. */
function wordFor(value: object): string | undefined {
  const name = (value.constructor as { name?: string } | undefined)?.name ?? "";
  if (value instanceof Date || value instanceof URL) {
    return value.toJSON() ?? "[no date]";
  }
  if (value instanceof Error) {
    return `${value.name}: ${value.message}`;
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return `[${name} of ${value.byteLength} bytes]`;
  }
  if (value instanceof Map || value instanceof Set) {
    return `[${name} of ${value.size}]`;
  }
  // Elements and windows have members that lead everywhere.
  const opaque = value instanceof EventTarget || (!["", "Object", "Array"].includes(name) && Object.keys(value).length === 0);
  return opaque ? `[${name}]` : undefined;
}

/** What a value is that is no object, as JSON or in a word. */
function simple(value: unknown): { json: string } | { word: string } {
  switch (typeof value) {
    case "bigint":
      return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value ? { json: `${value}` } : { word: `${value}n` };
    case "number":
      return Number.isFinite(value) ? { json: String(value) } : { word: String(value) };
    case "string":
      return { word: value };
    case "function":
      return { word: `[function ${value.name || "without a name"}]` };
    case "boolean":
      return { json: String(value) };
    default:
      return value === null ? { json: "null" } : { word: `[${String(value)}]` };
  }
}

/**
 * Writes any value as JSON of about so many bytes at most, nested so deep at most. What JSON lacks is shown as what it is, and what is
 * left out is counted. Nothing of the value is called.
 */
export function show(value: unknown, bytes: number, deepest: number): { json: string; omitted: number } {
  let left = bytes;
  let omitted = 0;
  const above: object[] = [];
  const put = (json: string): string => {
    left -= json.length + 2 * (json.match(/[^\0-\x7f]/g)?.length ?? 0) + 1;
    return json;
  };
  const text = (words: string): string => {
    const room = Math.floor(Math.max(left, 60) / 6); // a character has at most six bytes
    if (words.length <= room || (words.length < left && /^[ !#-[\]-~]*$/.test(words))) {
      return put(JSON.stringify(words));
    }
    omitted++;
    return put(JSON.stringify(`${words.slice(0, room)}… ${words.length - room} more characters`));
  };
  const members = (object: object, depth: number): string[] => {
    const parts: string[] = [];
    const list = Array.isArray(object);
    const names = list ? object : Object.keys(object);
    for (let i = 0; i < names.length; i++) {
      if (left <= 0) {
        omitted += names.length - i;
        parts.push(`${list ? "" : '"…":'}"${names.length - i} more"`);
        break;
      }
      const name = list ? String(i) : (names[i] as string);
      const property = Object.getOwnPropertyDescriptor(object, name);
      const value: unknown = property?.get ? "[getter]" : property?.value;
      if (list || value !== undefined) {
        const shown = value === undefined ? put("null") : write(value, depth);
        parts.push(list ? shown : `${put(JSON.stringify(name))}:${shown}`);
      }
    }
    return parts;
  };
  const write = (value: unknown, depth: number): string => {
    const level = above.length;
    try {
      return written(value, depth);
    } catch {
      above.length = level;
      omitted++;
      return text("[unreadable]"); // such as a proxy that was revoked
    }
  };
  const written = (value: unknown, depth: number): string => {
    if (typeof value !== "object" || value === null) {
      const shown = simple(value);
      return "json" in shown ? put(shown.json) : text(shown.word);
    }
    const word = above.includes(value) ? "[circular]" : wordFor(value);
    if (word !== undefined) {
      return text(word);
    }
    if (depth === deepest) {
      omitted++;
      return text("[nested deeper]");
    }
    above.push(value);
    const inside = members(value, depth + 1).join();
    above.pop();
    put("{}");
    return Array.isArray(value) ? `[${inside}]` : `{${inside}}`;
  };
  const json = write(value, 0);
  return { json, omitted };
}
