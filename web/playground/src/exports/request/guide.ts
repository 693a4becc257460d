// The guide to the request of an export: which schema holds where, and what the server finds wrong with it by the same schema.

import { signal, type Signal } from "@preact/signals";
import type { Schema } from "../../core/catalogue";
import type { Found } from "../../editor/faults";
import type { Guide } from "../../editor/guide";
import { pathOfPointer, type Path } from "../../editor/pointer";
import { post } from "../../server/client";
import type { ExportKind } from "../api/kinds";

/** Makes the guide to the request of whichever kind is chosen. */
export const requestGuide = (kind: () => ExportKind): Guide => ({
  schemaAt: (_, path) => schemaOf(kind().schema, path),
  faults: (value) => faultsOf(kind(), value),
});

interface Judgement {
  of: string;
  found: Promise<Found[]>;
}

// The form and the editor ask about the same request.
const last: Signal<Judgement> = signal({ of: "", found: Promise.resolve([]) });

/** Everything that the server finds in a request; nothing when it cannot be asked: it checks what is sent in any case. */
export function faultsOf(kind: ExportKind, value: unknown): Promise<Found[]> {
  const of = `${kind.request} ${JSON.stringify(value)}`;
  if (last.peek().of !== of) last.value = { of, found: faultsIn(kind.request, value) };
  return last.peek().found;
}

/** What the server finds in a value by a schema. */
export async function faultsIn(schema: string, value: unknown): Promise<Found[]> {
  try {
    const query = new URLSearchParams({ schema });
    const { found } = await post<{ found: { pointer: string; message: string }[] }>(`/_mock/validate?${query}`, value);
    return found.map(({ pointer, message }) => ({ path: stepsOf(pointer), message, severity: "error" }));
  } catch {
    last.value = { of: "", found: Promise.resolve([]) }; // it is asked again
    return [];
  }
}

const stepsOf = (pointer: string): Path => pathOfPointer(pointer).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));

function schemaOf(from: Schema, path: Path): Schema | undefined {
  let at: Schema | undefined = from;
  for (const step of path) at = typeof step === "number" ? at?.items : at?.properties?.[step];
  return at;
}
