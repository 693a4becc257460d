// The server's clock, which everything about an export follows.

import { signal } from "@preact/signals";

/** What is known of the clock. */
export type Clock = { state: "asking" } | { state: "known"; now: Date; frozen: boolean } | { state: "unknown" };

/** The clock, as the server told it last. */
export const clock = signal<Clock>({ state: "asking" });

/** Asks the server what time it is there. */
export async function ask(): Promise<void> {
  try {
    const answer = await fetch("/_mock/clock", { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { now, frozen } = (await answer.json()) as { now: string; frozen: boolean };
    const date = new Date(now);
    if (Number.isNaN(date.getTime())) throw new Error("no date");
    clock.value = { state: "known", now: date, frozen };
  } catch {
    clock.value = { state: "unknown" };
  }
}

/** A date without a zone, seven days before the clock. */
export function weekBefore(now: Date): string {
  return new Date(now.getTime() - 7 * 24 * 3600 * 1000).toISOString().slice(0, 19);
}
