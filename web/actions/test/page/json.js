/** Reads JSON with whole numbers exact to 64 bits: those that a number does not hold exactly are bigints. */
export function parse(text) {
  let at = 0;
  const fail = (what) => {
    throw new SyntaxError(`${what} at ${at}`);
  };
  const space = () => {
    while (" \t\n\r".includes(text[at] ?? "x")) at++;
  };
  const take = (expected) => {
    if (!text.startsWith(expected, at)) fail(`no ${expected}`);
    at += expected.length;
  };
  const string = () => {
    const start = at++;
    while (text[at] !== '"') {
      if (at >= text.length) fail("an endless text");
      at += text[at] === "\\" ? 2 : 1;
    }
    return JSON.parse(text.slice(start, ++at));
  };
  const number = () => {
    const [digits] = /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/.exec(text.slice(at, at + 400)) ?? fail("no value");
    at += digits.length;
    const value = Number(digits);
    if (/[.eE]/.test(digits) || Number.isSafeInteger(value)) return value;
    const exact = BigInt(digits);
    return exact >= -(2n ** 63n) && exact < 2n ** 64n ? exact : value;
  };
  const members = (end, member) => {
    at++;
    space();
    if (text[at] === end) return void at++;
    for (;;) {
      member();
      space();
      if (text[at] === end) return void at++;
      take(",");
      space();
    }
  };
  const value = () => {
    space();
    switch (text[at]) {
      case "{": {
        const object = {};
        members("}", () => {
          const name = string();
          space();
          take(":");
          Object.defineProperty(object, name, { value: value(), writable: true, enumerable: true, configurable: true });
        });
        return object;
      }
      case "[": {
        const list = [];
        members("]", () => list.push(value()));
        return list;
      }
      case '"':
        return string();
      case "t":
        return take("true"), true;
      case "f":
        return take("false"), false;
      case "n":
        return take("null"), null;
      default:
        return number();
    }
  };
  const result = value();
  space();
  if (at < text.length) fail("something after the value");
  return result;
}

/** Writes a value for a message. */
export function show(value) {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v)) ?? String(value);
}

/** Compares two values as JSON does: numbers and bigints by their exact value. */
export function equal(a, b) {
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]));
  }
  if (typeof a === "bigint" || typeof b === "bigint") {
    return ["number", "bigint"].includes(typeof a) && ["number", "bigint"].includes(typeof b) && a == b;
  }
  return a === b;
}

/** Says where an answer lacks something of what is expected; "" when it has everything. */
export function lacking(expected, found) {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) {
      return `expected ${show(expected)}, found ${show(found)}`;
    }
    return expected.map((item, i) => lacking(item, found[i])).find(Boolean) ?? "";
  }
  if (isObject(expected)) {
    if (!isObject(found)) return `expected an object, found ${show(found)}`;
    for (const [name, value] of Object.entries(expected)) {
      const difference = lacking(value, found[name]);
      if (difference) return `${name}: ${difference}`;
    }
    return "";
  }
  return equal(expected, found) ? "" : `expected ${show(expected)}, found ${show(found)}`;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
