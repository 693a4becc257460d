// The server's clock, which everything about an export follows.

import { signal } from "@preact/signals";
import { get, post, reason } from "./server";

/** What is known of the clock. */
export type Clock =
  | { state: "asking" }
  | { state: "known"; now: Date; frozen: boolean; rate: number; heard: number }
  | { state: "unknown" };

interface Told {
  now: string;
  frozen: boolean;
  rate: number;
}

/** The clock, as the server told it last. */
export const clock = signal<Clock>({ state: "asking" });
/** Why the last change was refused. */
export const refusal = signal("");

function hear({ now, frozen, rate }: Told): void {
  const date = new Date(now);
  if (Number.isNaN(date.getTime())) throw new Error("no date");
  clock.value = { state: "known", now: date, frozen, rate: rate ?? 1, heard: performance.now() };
}

/** Asks the server what time it is there. */
export async function ask(): Promise<void> {
  try {
    hear(await get<Told>("/_mock/clock"));
  } catch {
    clock.value = { state: "unknown" };
  }
}

/** Changes the clock: advance, set, freeze or rate, as POST /_mock/clock takes them. */
export async function change(body: Record<string, unknown>): Promise<void> {
  try {
    hear(await post<Told>("/_mock/clock", body));
    refusal.value = "";
  } catch (error) {
    refusal.value = reason(error);
  }
}

/** What the clock shows by now, going on from what the server told. */
export function reading(told: Clock & { state: "known" }): Date {
  const passed = told.frozen ? 0 : (performance.now() - told.heard) * told.rate;
  return new Date(told.now.getTime() + passed);
}

/** A date without a zone, seven days before the clock. */
export function weekBefore(now: Date): string {
  return new Date(now.getTime() - 7 * 24 * 3600 * 1000).toISOString().slice(0, 19);
}

/** A date in words, to the second, in UTC. */
export const inWords = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");
