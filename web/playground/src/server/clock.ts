// The server's clock, which everything about an export follows.

import { signal } from "@preact/signals";
import { get, post, reason } from "./client";

/** What is known of the clock. */
export type Clock =
  | { state: "asking" }
  | { state: "known"; now: Date; frozen: boolean; rate: number; receivedAt: number; keys: readonly string[] }
  | { state: "unknown"; why: string };

interface ClockAnswer {
  now: string;
  frozen: boolean;
  rate: number;
  keys?: string[];
}

/** The clock, as the server last reported it. */
export const clock = signal<Clock>({ state: "asking" });
/** Why the last change was refused. */
export const clockRefusal = signal("");

function update({ now, frozen, rate, keys = [] }: ClockAnswer): void {
  const date = new Date(now);
  if (Number.isNaN(date.getTime())) throw new Error("no date");
  clock.value = { state: "known", now: date, frozen, rate: rate ?? 1, receivedAt: performance.now(), keys };
}

/** Asks the server what time it is there. */
export async function refreshClock(): Promise<void> {
  try {
    update(await get<ClockAnswer>("/_mock/clock"));
  } catch (error) {
    clock.value = { state: "unknown", why: reason(error) };
  }
}

/** Changes the clock: advance, set, freeze or rate, as POST /_mock/clock takes them. */
export async function changeClock(body: Record<string, unknown>): Promise<void> {
  try {
    update(await post<ClockAnswer>("/_mock/clock", body));
    clockRefusal.value = "";
  } catch (error) {
    clockRefusal.value = reason(error);
  }
}

/** What the clock shows by now, computed from the last report. */
export function currentTime(known: Clock & { state: "known" }): Date {
  const passed = known.frozen ? 0 : (performance.now() - known.receivedAt) * known.rate;
  return new Date(known.now.getTime() + passed);
}

/** A date without a zone, seven days before the clock. */
export function weekBefore(now: Date): string {
  return new Date(now.getTime() - 7 * 24 * 3600 * 1000).toISOString().slice(0, 19);
}

/** A date in words, to the second, in UTC. */
export const formatTime = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");
