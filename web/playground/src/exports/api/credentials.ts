// Who asks: the keys that requests carry.

import { signal } from "@preact/signals";
import type { ExportKind } from "./kinds";
import { demo } from "./demo";

/** The credentials in use. */
export const credentials = signal<{ company: string; project: string; token: string }>(demo);

/** The headers that authenticate a request. */
export function authHeaders(of: Pick<ExportKind, "interface">): (readonly [name: string, value: string])[] {
  const { company, project, token } = credentials.value;
  return of.interface === "legacy"
    ? [["X-Authorization", company]]
    : [
        ["Authorization", `Bearer ${token}`],
        ["X-Service-Project", project],
      ];
}
