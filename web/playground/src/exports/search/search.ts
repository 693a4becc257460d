// Makes an export and looks in its file for the rows that are wanted. They are looked for as the text arrives, so a large file is
// no trouble.

import type { Schema } from "../../core/catalogue";
import { within } from "../../server/address";
import { get, send } from "../../server/client";
import { authHeaders } from "../api/credentials";
import { createdIn, fillPath, isMoment, spokenBy, writeMoment, type Column, type ExportKind } from "../api/kinds";
import { eachLine } from "../file/lines";
import { columnsOfHeader, columnsOfRequest, rowsOf } from "../file/parse";
import { applicationKey } from "../request/draft";
import { probes } from "../runs/runs";

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
  signal?: AbortSignal,
): Promise<Found> {
  const until = signal ? { signal } : {};
  const headers = Object.fromEntries([...authHeaders(kind), ["content-type", "application/json"], ["x-mock-scenario", "progress=now"]]);
  const spoken = spokenBy(kind.interface)!;
  const path = fillPath(kind.path, { ...target, [spoken.keyVariable ?? ""]: applicationKey() });
  const made = await send(path, { method: kind.method, headers, body: JSON.stringify(payload), ...until });
  const id = createdIn(await made.json(), spoken);
  probes.value = new Set(probes.value).add(id);
  const index = await get<{ rows: number; parts: { link: string }[] }>(`/_mock/exports/${encodeURIComponent(id)}/index`, until);
  const lines: string[] = [];
  let header = "";
  const csv = kind.format === "CSV";
  for (const part of index.parts) {
    await eachLine((await send(within(part.link), until)).body!, { csv, row: (line) => wanted(line) && lines.push(line), header: (line) => (header = line) });
  }
  const columns = csv ? columnsOfHeader(header, kind) : columnsOfRequest(kind, payload);
  const text = csv ? lines.join("\n") : `[${lines.map((line) => line.replace(/,$/, "")).join(",\n")}]`;
  return { id, columns, rows: lines.length > 0 ? rowsOf(text, kind, columns) : [], of: index.rows };
}
