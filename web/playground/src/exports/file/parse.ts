// Rows out of the text of a file: CSV with its quotes, or the items of a JSON array.

import type { Column, ExportKind } from "../api/kinds";

/** The cells of one line of CSV. */
export function splitLine(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  return [...records(line, separator)][0] ?? [""];
}

/** The rows of CSV text; a quoted cell may hold separators, quotes and line ends. */
export function* records(text: string, separator: string): Generator<string[]> {
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n") at++;
      cell = text.slice(from, at).replace(/\r$/, "");
    }
    cells.push(cell);
    if (text[at] !== separator) {
      yield cells;
      cells = [];
    } else if (at + 1 >= text.length) cells.push("");
    at++;
  }
  if (cells.length > 0) yield cells;
}

/** The columns of a CSV file, by its first line: those that the schema knows, and any others. */
export function columnsOfHeader(header: string, kind: ExportKind): Column[] {
  return splitLine(header.trimEnd(), kind.separator).map((name) => kind.columns.find((column) => column.name === name) ?? unknown(name));
}

const unknown = (name: string): Column => ({ name, path: [name], about: "Not in the schema.", type: "text", values: [], source: "" });

/** The columns of a JSON file: those of the schema, and for attributes those that were asked for, in their order. */
export function columnsOfRequest(kind: ExportKind, { attributes }: Record<string, unknown>): Column[] {
  if (kind.view !== "profiles") return [...kind.columns];
  const known = (name: string): Column | undefined => kind.columns.find((column) => column.name === name && column.path[0] === "attributes");
  const names = Array.isArray(attributes) ? attributes.map(String) : [];
  const asked = names.map((name) => known(name) ?? { ...unknown(name), path: ["attributes", name], about: "A custom attribute." });
  return [...asked, ...kind.columns.filter((column) => column.path[0] === "identifiers")];
}

/** What an item has at a column, as a cell shows it; nothing where it has none. */
export function cellOf(item: unknown, path: readonly string[]): string {
  let at: unknown = item;
  for (const step of path) at = at !== null && typeof at === "object" ? (at as Record<string, unknown>)[step] : undefined;
  if (at === undefined) return "";
  if (Array.isArray(at) && at.every((one) => typeof one === "string")) return at.join(", ");
  return typeof at === "string" ? at : JSON.stringify(at);
}

/** The rows of a piece of a file that begins and ends with whole rows. */
export function rowsOf(text: string, kind: Pick<ExportKind, "format" | "separator">, columns: readonly Column[]): string[][] {
  if (kind.format === "CSV") return [...records(text, kind.separator)];
  const bare = text.trim().replace(/^[[,]/, "").replace(/[\],]\s*$/, "");
  try {
    return (JSON.parse(`[${bare}]`) as unknown[]).map((item) => columns.map(({ path }) => cellOf(item, path)));
  } catch {
    // A file may end in the middle of a row: what is there is shown as it is.
    return bare
      .split("\n")
      .filter((line) => line.length > 1)
      .map((line) => itemOf(line, columns) ?? [line]);
  }
}

/** The cells of an item of JSON that is a line; nothing when it is none, as the brackets around the items. */
export function itemOf(line: string, columns: readonly Column[]): string[] | undefined {
  const text = line.trimEnd();
  if (text.length < 2) return undefined;
  try {
    const item: unknown = JSON.parse(text.endsWith(",") ? text.slice(0, -1) : text);
    return columns.map(({ path }) => cellOf(item, path));
  } catch {
    return undefined;
  }
}
