// What screen readers announce: one live region for the whole page.

import { signal } from "@preact/signals";

/** The last announcement. */
export const announcement = signal("");
