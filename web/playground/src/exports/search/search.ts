// Makes an export and looks in its file for the rows that are wanted. They are looked for as the text arrives, so a large file is
// no trouble.

import type { Schema } from "../../core/catalogue";
import { get, send } from "../../server/client";
import { authHeaders } from "../api/credentials";
import { fillPath, isMoment, spokenBy, writeMoment, type Column, type ExportKind } from "../api/kinds";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "../file/parse";
import { applicationKey } from "../request/draft";

/** What was found in the file of an export. */
export interface Found {
  id: string;
  columns: readonly Column[];
  /** The rows that are wanted. */
  rows: readonly (readonly string[])[];
  /** How many rows the file has. */
  of: number;
}

/** A payload with what the schema fixes, the window since a date, and what is asked for. */
export function payloadSince(from: Date, kind: ExportKind, asked: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries<Schema>(kind.schema.properties ?? {});
  const fixed = members.filter(([, member]) => member.const !== undefined).map(([name, member]) => [name, member.const] as const);
  const moment = kind.schema.properties?.["from"];
  const window = moment && isMoment(moment) ? { from: writeMoment(from, moment), to: "now" } : {};
  return { ...Object.fromEntries(fixed), ...window, ...asked };
}

/** Makes an export that is there at once, and finds the rows of which the line is wanted. */
export async function makeAndSearch(
  kind: ExportKind,
  payload: Record<string, unknown>,
  target: Readonly<Record<string, string>>,
  wanted: (line: string) => boolean,
): Promise<Found> {
  const headers = Object.fromEntries([...authHeaders(kind), ["content-type", "application/json"], ["x-mock-scenario", "progress=now"]]);
  const { keyVariable = "", identifiers } = spokenBy(kind.interface)!;
  const path = fillPath(kind.path, { ...target, [keyVariable]: applicationKey() });
  const made = await send(path, { method: kind.method, headers, body: JSON.stringify(payload) });
  const { [identifiers.created]: id = "" } = (await made.json()) as Record<string, string>;
  const index = await get<{ rows: number; parts: { link: string }[] }>(`/_mock/exports/${encodeURIComponent(id)}/index`);
  const lines: string[] = [];
  let header = "";
  for (const part of index.parts) {
    const { pathname, search } = new URL(part.link);
    for await (const line of linesOf(await send(pathname + search), kind.format === "CSV")) {
      if (header === "" && kind.format === "CSV") header = line;
      else if (wanted(line)) lines.push(line);
    }
  }
  const csv = kind.format === "CSV";
  const columns = csv ? columnsOfHeader(header, kind) : columnsOfRequest(kind, payload);
  const text = csv ? lines.join("\n") : `[${lines.map((line) => line.replace(/,$/, "")).join(",\n")}]`;
  return { id, columns, rows: lines.length > 0 ? rowsOf(text, kind, columns) : [], of: index.rows };
}

/** The lines of an answer; those of CSV go on where a line break is between quotes. */
async function* linesOf(answer: Response, csv: boolean): AsyncGenerator<string> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let row = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (done ? "" : value)).split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines) {
      row += line;
      if (csv && row.split('"').length % 2 === 0) row += "\n";
      else {
        if (row !== "" || !done) yield row;
        row = "";
      }
    }
    if (done) break;
  }
  if (row !== "") yield row;
}
