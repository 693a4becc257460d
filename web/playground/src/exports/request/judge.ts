// What is wrong with the request that is set up, as the server says it a moment after the last change.

import { effect, signal } from "@preact/signals";
import type { Found } from "../../editor/faults";
import { kind, value } from "./draft";
import { faultsOf } from "./guide";

/** How long nothing may change before the server is asked, in milliseconds. */
const pause = 250;

/** The faults of the request, the newest that are known. */
export const faults = signal<readonly Found[]>([]);

/** Keeps the faults up to date until the returned function is called. */
export function judge(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;
  const stop = effect(() => {
    const now = value.value;
    const of = kind.value;
    const asked = ++newest;
    clearTimeout(timer);
    if (!now.ok) {
      faults.value = [];
      return;
    }
    timer = setTimeout(() => {
      void faultsOf(of, now.value).then((found) => {
        if (asked === newest) faults.value = found;
      });
    }, pause);
  });
  return () => {
    newest++;
    clearTimeout(timer);
    stop();
  };
}
