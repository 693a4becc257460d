// Who asks: the keys that requests carry.

import { signal } from "@preact/signals";
import { spokenBy, type ExportKind, type Spoken } from "./kinds";
import { demo } from "./demo";

/** The credentials in use. */
export const credentials = signal<{ company: string; project: string; token: string }>(demo);

/** The headers that authenticate a request. */
export function authHeaders(of: Pick<ExportKind, "interface">): (readonly [name: string, value: string])[] {
  const spoken = spokenBy(of.interface);
  return spoken ? headersOf(spoken, credentials.value) : [];
}

/** The headers in which an interface takes credentials. */
function headersOf(
  { headers: { credential, scheme, project: header } }: Spoken,
  { company, project, token }: { company: string; project: string; token: string },
): (readonly [name: string, value: string])[] {
  const value = (secret: string): string => (scheme ? `${scheme} ${secret}` : secret);
  return header
    ? [
        [credential, value(token)],
        [header, project],
      ]
    : [[credential, value(company)]];
}
