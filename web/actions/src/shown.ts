/** What JSON lacks, in a word, and objects whose members would not say what they are. */
function wordFor(value: unknown): string | undefined {
  switch (typeof value) {
    case "bigint":
      return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value ? undefined : `${value}n`;
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "function":
      return `[function ${value.name || "without a name"}]`;
    case "symbol":
    case "undefined":
      return `[${String(value)}]`;
    case "object":
      return value === null || Array.isArray(value) ? undefined : wordForObject(value);
    default:
      return undefined;
  }
}

function wordForObject(value: object): string | undefined {
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
  // Elements and windows have members that lead everywhere; many classes show none.
  return value instanceof EventTarget || (!["", "Object"].includes(name) && Object.keys(value).length === 0) ? `[${name}]` : undefined;
}

/**
 * Writes any value as JSON of about so many bytes, nested so deep. What JSON lacks is shown as what it is, and what is left out is counted.
 * Nothing of the value is called.
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
  const members = (object: object, list: boolean, depth: number): string => {
    const parts: string[] = [];
    const names = list ? (object as unknown[]) : Object.keys(object);
    for (let i = 0; i < names.length; i++) {
      if (left <= 0) {
        omitted += names.length - i;
        parts.push(`${list ? "" : '"…":'}"${names.length - i} more"`);
        break;
      }
      const name = list ? String(i) : (names[i] as string);
      const property = Object.getOwnPropertyDescriptor(object, name);
      const member: unknown = property?.get ? "[getter]" : property?.value;
      if (list || member !== undefined) {
        parts.push((list ? "" : `${put(JSON.stringify(name))}:`) + write(member ?? null, depth));
      }
    }
    return parts.join();
  };
  const write = (value: unknown, depth: number): string => {
    const level = above.length;
    try {
      const word = typeof value === "string" ? value : above.includes(value as object) ? "[circular]" : wordFor(value);
      if (word !== undefined || typeof value !== "object" || value === null) {
        return word === undefined ? put(String(value)) : text(word);
      }
      if (depth === deepest) {
        omitted++;
        return text("[nested deeper]");
      }
      above.push(value);
      put("{}");
      const list = Array.isArray(value);
      const inside = members(value, list, depth + 1);
      above.pop();
      return list ? `[${inside}]` : `{${inside}}`;
    } catch {
      above.length = level;
      omitted++;
      return text("[unreadable]"); // such as a proxy that was revoked
    }
  };
  return { json: write(value, 0), omitted };
}
