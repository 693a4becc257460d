// The guide to the request of an export: which schema holds where, and what the server finds wrong with it by the same schema.

import { effect, signal } from "@preact/signals";
import type { Schema } from "../../core/catalogue";
import type { Found, Guide } from "../../editor/guide";
import { stepsOf, type Path } from "../../editor/pointer";
import { post } from "../../server/client";
import type { ExportKind } from "../api/kinds";
import { kind, value } from "./draft";

/** The guide to the request of the chosen kind. */
export const requestGuide: Guide = {
  schemaAt: (_, path) => schemaOf(kind.peek().schema, path),
  faults: (value) => faultsOf(kind.peek(), value),
};

// The form and the editor ask about the same request.
let last = { of: "", found: Promise.resolve<Found[]>([]) };

/** All faults that the server finds in a request. */
function faultsOf({ request }: ExportKind, value: unknown): Promise<Found[]> {
  const of = `${request} ${JSON.stringify(value)}`;
  if (last.of !== of) last = { of, found: faultsIn(request, value) };
  return last.found;
}

/** What the server finds in a value by a schema; nothing when it cannot be asked: it checks what is sent in any case. */
export async function faultsIn(schema: string, value: unknown): Promise<Found[]> {
  try {
    const { found } = await post<{ found: { pointer: string; message: string }[] }>(`/_mock/validate?${new URLSearchParams({ schema })}`, value);
    return found.map(({ pointer, message }) => ({ path: stepsOf(pointer), message, severity: "error" }));
  } catch {
    last = { of: "", found: Promise.resolve([]) }; // it is asked again
    return [];
  }
}

function schemaOf(from: Schema, path: Path): Schema | undefined {
  let at: Schema | undefined = from;
  for (const step of path) at = typeof step === "number" ? at?.items : at?.properties?.[step];
  return at;
}

/** The faults of the request, the newest that are known. */
export const faults = signal<readonly Found[]>([]);

/** Keeps the faults up to date, a moment after the last change, until the returned function is called. */
export function judge(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;
  const stop = effect(() => {
    const now = value.value;
    const of = kind.value;
    const asked = ++newest;
    clearTimeout(timer);
    if (!now.ok) faults.value = [];
    else timer = setTimeout(() => void faultsOf(of, now.value).then((found) => asked === newest && (faults.value = found)), 250);
  });
  return () => {
    newest++;
    clearTimeout(timer);
    stop();
  };
}
