// The apps that have joined, as the server tells of them.

import { computed, signal } from "@preact/signals";
import type { Result, Source } from "../core/adapter";
import type { Schema } from "../core/catalogue";
import { parse } from "../core/json";
import { reason, send } from "../server/client";

/** An action that an app has registered. */
export interface AppAction {
  identifier: string;
  title?: string;
  sample?: Record<string, unknown>;
  schema?: Schema;
}

/** Something that an app has performed. */
export interface Performed {
  sequence: number;
  identifier: string;
  arguments?: Record<string, unknown>;
  source: Source;
  result: Result;
}

/** An app that has joined. */
export interface App {
  id: string;
  name: string;
  platform: string;
  version: string;
  state: "connected" | "silent" | "gone";
  address: string;
  origin?: string;
  actions: readonly AppAction[];
  capabilities: Readonly<Record<string, "available" | "needs_gesture" | "unsupported">>;
  permissions: Readonly<Record<string, string>>;
  held: number;
  omitted: readonly { reason: string; count: number }[];
  /** What it has performed lately, oldest first; of the app that is shown. */
  performed?: readonly Performed[];
}

/** What is needed to join, and who was not let in. */
export interface Door {
  hosts: readonly App[];
  code: string;
  addresses: readonly string[];
  refused: readonly { time: string; address: string; origin?: string; name?: string; reason: string }[];
}

/** What the server says of apps; nothing until it was asked. */
export const door = signal<Door | undefined>(undefined);
/** Why it says nothing. */
export const trouble = signal("");
/** The app that the person chose, by its id; "" for the first. */
export const chosenApp = signal("");
const shown = signal<App | undefined>(undefined);

/** The app that is shown: it stays what was chosen, also while it is gone. */
export const app = computed<App | undefined>(() => {
  const hosts = door.value?.hosts ?? [];
  const one = hosts.find(({ id }) => id === chosenApp.value) ?? hosts.find(({ state }) => state !== "gone") ?? hosts[0];
  return one && shown.value?.id === one.id ? { ...one, performed: shown.value.performed ?? [] } : one;
});

const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const answer = parse(await (await send(`/_mock/hosts${path}`, init)).text());
  return (answer.ok ? answer.value : {}) as T;
};

/** Asks the server again. */
export async function refreshApps(): Promise<void> {
  try {
    door.value = await ask<Door>("");
    const { id } = app.peek() ?? {};
    if (id) shown.value = await ask<App>(`/${id}`);
    trouble.value = "";
  } catch (error) {
    trouble.value = reason(error);
  }
}

/** Has an app perform or trigger an action. The result is `held` for a trigger that waits for the start of the app. */
export const askApp = (id: string, how: "perform" | "trigger", body: string): Promise<Result | { status: "held" }> =>
  ask(`/${id}/${how}`, { method: "POST", headers: { "content-type": "application/json" }, body });

/** Takes an app off the list; it does not join again by itself. */
export async function removeApp(id: string): Promise<void> {
  await ask(`/${id}`, { method: "DELETE" }).catch(() => undefined);
  await refreshApps();
}
