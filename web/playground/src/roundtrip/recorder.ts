// The recorder: what happens on the hosts is sent to the server as events of two installations of one profile, so that the next export
// contains them. They are rows of the keys that the page makes exports with, and of no other's.

import { signal } from "@preact/signals";
import { credentials } from "../exports/api/credentials";
import { applicationKey } from "../exports/request/draft";
import type { UserChange } from "../hosts/effects";
import type { HostName } from "../hosts/names";
import { get, post, reason } from "../server/client";

/** The profile, the campaign and the installations that the scene is about. */
export const names = {
  profile: "playground",
  campaign: "playground",
  phone: "playground-phone",
  browser: "playground-browser",
} as const;

/** An event as the server takes it. */
export type Event = { type: string } & Record<string, unknown>;

/** One event that was sent, or is about to be. */
export interface Recorded {
  key: number;
  host: HostName;
  event: Event;
  state: "sending" | "there" | "lost";
  why?: string;
}

/** How much of its dataset the server holds for a key. */
export interface DataSummary {
  events: number;
}

/** What was recorded, newest first. */
export const recorded = signal<readonly Recorded[]>([]);
/** What the server holds for the first key that it knows; none until the first answer. */
export const serverData = signal<DataSummary | undefined>(undefined);
/** What went wrong last; "" when nothing did. */
export const trouble = signal("");

let count = 0;
let batch: Batch | undefined; // that further events of this turn join
let firstState: InitialState | undefined; // as things were before the first event
let sending: Promise<void> = Promise.resolve(); // everything that was asked of the server, in its order

interface Batch {
  entries: Recorded[];
  first: InitialState;
}

/** How the two installations are created. */
interface InitialState {
  platform: "ios" | "android";
  optedIn: Record<HostName, boolean>;
}

let initialState: () => InitialState = () => ({ platform: "ios", optedIn: { phone: false, browser: false } });
const created = new Set<string>(); // the keys that have the two installations

/** The keys that the page makes exports with: of an application, and of a project. */
const keysOfExports = (): string[] => [applicationKey(), credentials.peek().project.trim()].filter((key) => key !== "");

const path = (under: string, key: string): string => `/_mock/data${under}?key=${encodeURIComponent(key)}`;

// Does something for each key. One that the server refuses is told, and keeps nothing from the others; false when all are refused.
async function forEachKey(keys: Iterable<string>, ask: (key: string) => Promise<DataSummary>): Promise<boolean> {
  const answers: DataSummary[] = [];
  const refusals = new Set<string>();
  for (const key of new Set(keys)) {
    try {
      answers.push(await ask(key));
    } catch (error) {
      refusals.add(reason(error));
    }
  }
  serverData.value = answers[0] ?? serverData.peek();
  trouble.value = [...refusals].join("; ");
  return answers.length > 0;
}

/** Asks what the server holds, and keeps the function that says how to create the two installations before their first event. */
export async function prepareRecording(how: () => InitialState): Promise<void> {
  initialState = how;
  created.clear();
  await forEachKey(keysOfExports(), (key) => get<DataSummary>(path("", key)));
}

// Creating them again would change nothing but their initial state.
async function createProfile(key: string, first: InitialState): Promise<void> {
  if (created.has(key)) return;
  await post(path("/profiles", key), { custom_id: names.profile, language: "en" });
  const common = { custom_id: names.profile, is_reachable: true };
  await post<DataSummary>(path("/installations", key), [
    { ...common, install_id: names.phone, platform: first.platform, is_optin: first.optedIn.phone },
    { ...common, install_id: names.browser, platform: "web", is_optin: first.optedIn.browser },
  ]);
  created.add(key);
}

/** Records what happened on a host. Events of one turn are sent together, in their order. */
export function record(host: HostName, type: string, more: Record<string, unknown> = {}): void {
  const event: Event = { type, install_id: names[host], ...more };
  const entry: Recorded = { key: ++count, host, event, state: "sending" };
  recorded.value = [entry, ...recorded.value].slice(0, 200);
  if (!batch) {
    const begun: Batch = { entries: [], first: (firstState ??= initialState()) };
    batch = begun;
    sending = sending.then(() => flush(begun));
  }
  batch.entries.push(entry);
}

/** Resolves when everything that was recorded has arrived, or was given up. */
export const settled = (): Promise<void> => sending;

async function flush(begun: Batch): Promise<void> {
  if (batch === begun) batch = undefined;
  const rows = begun.entries.map(({ event }) => event);
  const there = await forEachKey(keysOfExports(), async (key) => {
    await createProfile(key, begun.first);
    return post<DataSummary>(path("/events", key), rows);
  });
  const change: Partial<Recorded> = there ? { state: "there" } : { state: "lost", why: trouble.peek() };
  const keys = new Set(begun.entries.map(({ key }) => key));
  recorded.value = recorded.value.map((entry) => (keys.has(entry.key) ? { ...entry, ...change } : entry));
}

/** Records a change of what is known of the user of a host. */
export const recordUserChange = (host: HostName) => (one: UserChange): void => {
  if (one.what === "event") {
    const { name, label, tags, data } = one;
    record(host, "custom_event", { name, ...(label === null ? {} : { label }), ...(tags.length > 0 ? { tags } : {}), data });
  } else record(host, one.what, { collection: one.collection, tag: one.tag });
};

/** Gives the keys back to the dataset of the server, behind what was recorded before. Exports that were made before keep their bytes. */
export function deleteRecorded(): Promise<void> {
  const last = count;
  batch = firstState = undefined; // what is recorded from now on comes after it
  return (sending = sending.then(async () => {
    const keys = [...keysOfExports(), ...created]; // others may have been typed since
    if (!(await forEachKey(keys, (key) => get<DataSummary>(path("", key), { method: "DELETE" })))) return;
    recorded.value = recorded.value.filter(({ key }) => key > last);
    created.clear();
  }));
}
