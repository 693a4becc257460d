// What the user has set up: the call and the custom actions. With the conditions of the hosts it travels in the link.

import { signal } from "@preact/signals";
import { builtins } from "../core/catalogue";
import { write } from "../core/json";
import type { HostName } from "../hosts/names";

/** What a custom action does when it is performed. */
export const behaviours = {
  record: "notes the call",
  fail: "gives an error back",
  throw: "throws something odd",
  wait: "takes a second",
} as const;

/** The name of such a behaviour. */
export type Behaviour = keyof typeof behaviours;

/** An action that the page registers with both hosts. */
export interface CustomAction {
  name: string;
  behaviour: Behaviour;
}

/** How the call is made: performed by the application, or triggered by something. */
export type SourceKind = "manual" | "push" | "other";

const first = builtins.find((b) => b.identifier === "service.clipboard") ?? builtins[0]!;

/** The identifier of the call. */
export const identifier = signal(first.identifier);
/** The arguments of the call, as they are typed. */
export const text = signal(write(first.example));
/** What causes the call. */
export const sourceKind = signal<SourceKind>("manual");
/** The payload of the push message, as it is typed. */
export const pushPayload = signal('{ "campaign": "welcome" }');
/** The kind of another source. */
export const otherKind = signal("in_app");
/** Where the call runs: on one host, or on both to compare them. */
export const target = signal<HostName | "both">("phone");
/** Whether the call waits until no click counts. */
export const delayed = signal(false);
/** The custom actions. */
export const custom = signal<readonly CustomAction[]>([]);

/** Puts an action into the call, with an example of its arguments. */
export function choose(name: string, example: Record<string, unknown>): void {
  identifier.value = name;
  text.value = write(example);
}
