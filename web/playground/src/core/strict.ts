// Finds the first syntax error of JSON text. The messages of browsers differ, and JSON.parse accepts duplicate names.

/** A fault: what is expected, and the offset at which it is. */
export interface Misread {
  expected: string;
  offset: number;
}

class Stop extends Error {
  constructor(readonly misread: Misread) {
    super(misread.expected);
  }
}

/** The first fault of the text; none when it is JSON and no object has two members of the same name. */
export function misread(text: string): Misread | undefined {
  try {
    new Reader(text).whole();
    return undefined;
  } catch (stop) {
    if (stop instanceof Stop) return stop.misread;
    if (stop instanceof RangeError) return { expected: "it is nested too deeply", offset: 0 };
    throw stop;
  }
}

const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): void {
    this.value("a value is expected");
    if (this.peek() !== "") this.stop("the end is expected: nothing may follow the value");
  }

  private value(expected: string): void {
    const next = this.peek();
    if (next === "{") this.object();
    else if (next === "[") this.list();
    else if (next === '"') this.string();
    else if (/[-0-9]/.test(next)) this.number();
    else this.literal(expected);
  }

  private object(): void {
    const names = new Set<string>();
    this.at++;
    if (this.skip("}")) return;
    for (;;) {
      if (this.peek() === "}") this.stop('a member is expected after the comma: none may stand before "}"');
      if (this.peek() !== '"') this.stop("a member's name in double quotes is expected");
      const start = this.at;
      const written = this.string();
      const name = JSON.parse(written) as string;
      if (names.has(name)) this.stop(`another name is expected: ${written} is repeated`, start);
      names.add(name);
      if (!this.skip(":")) this.stop(`a colon and a value are expected after the name ${written}`);
      this.value(`a value is expected for ${written}`);
      if (this.skip("}")) return;
      if (!this.skip(",")) this.stop('a comma or "}" is expected');
    }
  }

  private list(): void {
    this.at++;
    if (this.skip("]")) return;
    for (;;) {
      if (this.peek() === "]") this.stop('a value is expected after the comma: none may stand before "]"');
      this.value("a value is expected");
      if (this.skip("]")) return;
      if (!this.skip(",")) this.stop('a comma or "]" is expected');
    }
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) this.stop("a closing double quote is expected");
      if (char === "\n" || char === "\r")
        this.stop("a closing double quote is expected before the line ends; a line break in a text is written \\n");
      if (char < " ") {
        const written = escapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
        this.stop(`${written} is expected in place of this control character`);
      }
      if (char === "\\" && !this.take(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y))
        this.stop('one of \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits is expected');
      if (char === "\\") continue;
      this.at++;
      if (char === '"') return this.text.slice(start, this.at);
    }
  }

  private number(): void {
    this.take(/-/y);
    if (!this.take(/\d/y)) this.stop("a digit is expected");
    if (this.text[this.at - 1] !== "0") this.take(/\d+/y);
    else if (/\d/.test(this.text[this.at] ?? "")) this.stop("a number without leading zeros is expected", this.at - 1);
    if (this.take(/\./y) && !this.take(/\d+/y)) this.stop("a digit is expected after the point");
    if (this.take(/[eE][-+]?/y) && !this.take(/\d+/y)) this.stop("a digit is expected in the exponent");
  }

  private literal(expected: string): void {
    const word = /[\p{L}\p{N}_$]*/uy;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0] ?? "";
    if (/^(?:true|false|null)$/.test(found)) this.at += found.length;
    else if (this.text[this.at] === "'") this.stop("double quotes are expected in place of single ones");
    else if (found) this.stop(`${expected}: ${found.slice(0, 30)} is none; a text stands in double quotes`);
    else this.stop(expected);
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found !== null;
  }

  // The next character that is no white space; "" at the end.
  private peek(): string {
    this.take(/[ \t\n\r]+/y);
    return this.text[this.at] ?? "";
  }

  private skip(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  private stop(expected: string, offset = this.at): never {
    const early = offset >= this.text.length;
    throw new Stop({ expected: early ? `the JSON ends too early: ${expected}` : expected, offset });
  }
}
