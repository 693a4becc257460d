// Who asks: the keys that requests carry.

import { signal } from "@preact/signals";
import { spokenBy, type ExportKind } from "./kinds";
import { demo } from "./demo";

/** The credentials in use. */
export const credentials = signal<{ company: string; project: string; token: string }>(demo);

/** The headers that authenticate a request. */
export function authHeaders(of: Pick<ExportKind, "interface">): (readonly [name: string, value: string])[] {
  const spoken = spokenBy(of.interface);
  if (!spoken) return [];
  const { credential, scheme, project: header } = spoken.headers;
  const { company, project, token } = credentials.value;
  const secret = scheme === "Basic" ? btoa(`${project}:${token}`) : spoken.keyVariable ? company : token;
  const headers = [[credential, scheme ? `${scheme} ${secret}` : secret] as const];
  return header ? [...headers, [header, project]] : headers;
}
