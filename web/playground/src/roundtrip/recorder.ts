// The recorder: what happens on the phone is sent to the server as events of one installation, so that the next export contains them.
// They are rows of the keys that the page makes exports with, and of no other's.

import { signal } from "@preact/signals";
import { credentials } from "../exports/api/credentials";
import { applicationKey } from "../exports/request/draft";
import { get, post, reason } from "../server/client";

/** The profile, the campaign and the installation that the scene is about. */
export const names = { profile: "playground", campaign: "playground", phone: "playground-phone" } as const;

/** One event that was sent, or is about to be. */
export interface Recorded {
  key: number;
  event: { type: string } & Record<string, unknown>;
  state: "sending" | "there" | "lost";
}

/** What was recorded, newest first. */
export const recorded = signal<readonly Recorded[]>([]);
/** How many events the server holds for a key of the page; none until the first answer. */
export const held = signal<number | undefined>(undefined);
/** What went wrong last; "" when nothing did. */
export const trouble = signal("");

/** How the installation is created. */
interface Start {
  platform: "ios" | "android";
  optedIn: boolean;
}

let count = 0;
let batch: Recorded[] | undefined; // that further events of this turn join
let start: Start = { platform: "ios", optedIn: false };
let sending: Promise<void> = Promise.resolve(); // everything that was asked of the server, in its order
const created = new Set<string>(); // the keys that have the installation

/** The keys that the page makes exports with: of an application, and of a project. */
const keysOfExports = (): string[] => [applicationKey(), credentials.peek().project.trim()].filter((key) => key !== "");

const path = (under: string, key: string): string => `/_mock/data${under}?key=${encodeURIComponent(key)}`;

// Does something for each key. One that the server refuses is told, and keeps nothing from the others; false when all are refused.
async function forEachKey(keys: Iterable<string>, ask: (key: string) => Promise<{ events: number }>): Promise<boolean> {
  const refusals = new Set<string>();
  let answered = false;
  for (const key of new Set(keys)) {
    try {
      const { events } = await ask(key);
      if (!answered) held.value = events;
      answered = true;
    } catch (error) {
      refusals.add(reason(error));
    }
  }
  trouble.value = [...refusals].join("; ");
  return answered;
}

/** Asks what the server holds, and keeps how to create the installation before its first event. */
export async function prepareRecording(how: Start): Promise<void> {
  if (recorded.peek().length === 0) start = how;
  created.clear();
  await forEachKey(keysOfExports(), (key) => get(path("", key)));
}

async function createProfile(key: string): Promise<void> {
  if (created.has(key)) return;
  await post(path("/profiles", key), { custom_id: names.profile, language: "en" });
  const { platform, optedIn } = start;
  await post(path("/installations", key), { custom_id: names.profile, install_id: names.phone, platform, is_optin: optedIn, is_reachable: true });
  created.add(key);
}

/** Records an event. Those of one turn are sent together, in their order. */
export function record(type: string, more: Record<string, unknown> = {}): void {
  const entry: Recorded = { key: ++count, event: { type, install_id: names.phone, ...more }, state: "sending" };
  recorded.value = [entry, ...recorded.value].slice(0, 200);
  if (!batch) {
    const begun: Recorded[] = (batch = []);
    sending = sending.then(() => flush(begun));
  }
  batch.push(entry);
}

/** Resolves when everything that was recorded has arrived, or was given up. */
export const settled = (): Promise<void> => sending;

async function flush(begun: Recorded[]): Promise<void> {
  if (batch === begun) batch = undefined;
  const there = await forEachKey(keysOfExports(), async (key) => {
    await createProfile(key);
    return post(path("/events", key), begun.map(({ event }) => event));
  });
  const state = there ? "there" : "lost";
  recorded.value = recorded.value.map((entry) => (begun.some(({ key }) => key === entry.key) ? { ...entry, state } : entry));
}

/** Gives the keys back to the dataset of the server, behind what was recorded before. Exports that were made before keep their bytes. */
export function deleteRecorded(): Promise<void> {
  const last = count;
  batch = undefined; // what is recorded from now on comes after it
  return (sending = sending.then(async () => {
    const keys = [...keysOfExports(), ...created]; // others may have been typed since
    if (!(await forEachKey(keys, (key) => get(path("", key), { method: "DELETE" })))) return;
    recorded.value = recorded.value.filter(({ key }) => key > last);
    created.clear();
  }));
}
