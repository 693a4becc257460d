// What the user has set up: the call and the custom actions. With the conditions of the hosts it travels in the link.

import { computed, signal } from "@preact/signals";
import { builtins } from "../core/catalogue";
import { write } from "../core/json";
import type { HostName } from "../hosts/names";

/** Handlers to start from, by what they do. */
export const templates = {
  "notes the call": `({ identifier, arguments: args, source }) => {
  return \`hello from \${identifier}\`;
}`,
  "performs another action": `async ({ arguments: args, perform }) => {
  const copied = await perform("service.clipboard", { t: args.greeting });
  return copied.status;
}`,
  "gives an error back": `() => {
  throw new Error("failed on purpose");
}`,
  "throws something odd": `() => {
  throw "a text, which is no error";
}`,
  "takes a second": `async ({ identifier }) => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  console.log(\`\${identifier} finished\`);
  return "waited a second";
}`,
} as const;

/** What such a handler does. */
export type Template = keyof typeof templates;

/** An action that the page registers with both hosts. */
export interface CustomAction {
  name: string;
  /** The code of its handler, a function in JavaScript. */
  source: string;
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
