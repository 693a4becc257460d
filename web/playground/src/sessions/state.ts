// What the user has set up: the call and the custom actions. With the conditions of the hosts it travels in the link.

import { computed, signal } from "@preact/signals";
import { builtins } from "../core/catalogue";
import { write } from "../core/json";
import type { HostName } from "../hosts/names";

/** The handler to start from. */
export const template = `async ({ identifier, arguments: args, source, perform }) => {
  console.log(\`\${identifier} was called by \${source.kind}\`);
  return args;
}`;

/** An action that the page registers with both hosts. */
export interface CustomAction {
  name: string;
  /** The code of its handler, a function in JavaScript. */
  source: string;
}

/** How the call is made: performed by the application, or triggered by a push. */
export type SourceKind = "manual" | "push";

const first = builtins.find((b) => b.identifier === "service.clipboard") ?? builtins[0]!;

/** The identifier of the call. */
export const identifier = signal(first.identifier);
/** The arguments of the call, as they are typed. */
export const text = signal(write(first.example));
/** What causes the call. */
export const sourceKind = signal<SourceKind>("manual");
/** The payload of the push message, as it is typed. */
export const pushPayload = signal('{ "campaign": "welcome" }');
/** Where the call runs: on one host, or on the phone and another to compare them. */
export const target = signal<HostName | "both">("phone");
/** The host that the phone is compared with: what was chosen last. */
export const beside = signal<Exclude<HostName, "phone">>("browser");
/** The custom actions. */
export const custom = signal<readonly CustomAction[]>([]);
/** The custom action that the call asks for, if it is one. */
export const ownAction = computed(() => custom.value.find(({ name }) => name.toLowerCase() === identifier.value.toLowerCase()));
/** What of the call is shown. */
export const pane = signal<"arguments" | "handler">("arguments");

/** Puts an action into the call, with an example of its arguments. */
export function choose(name: string, example: Record<string, unknown>): void {
  identifier.value = name;
  text.value = write(example);
  pane.value = "arguments";
}
