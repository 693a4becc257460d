// What the person has set up: the call, the conditions of both hosts, their own actions. All of it travels in the link.

import { signal } from "@preact/signals";
import type { CapabilityName as AnyCapability, Permission } from "../core/adapter";
import { builtins } from "../core/catalogue";
import { write } from "../core/json";

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

/** A capability of the phone that can be taken away or made to refuse. */
export type CapabilityName = Exclude<AnyCapability, "interceptor">;

/** What the page calls these capabilities. */
export const capabilityTitles: Record<CapabilityName, string> = {
  dismisser: "Dismissing",
  link_opener: "Opening links",
  notifications: "Notification pop-up",
  settings: "Settings",
  clipboard: "Clipboard",
  reviewer: "Rating dialog",
  tracking: "Tracking pop-up",
  user_data: "User data",
};
/** All of them. */
export const capabilityNames = Object.keys(capabilityTitles) as CapabilityName[];

/** How a capability of the simulated phone behaves. */
export type Behaves = "works" | "missing" | "blocked" | "failed";

/** The states of a permission in the words of the page. */
export const permissionWords: Record<Permission, string> = {
  not_determined: "not asked yet",
  authorized: "allowed",
  denied: "denied",
  restricted: "restricted",
};

/** The conditions of the simulated phone. */
export interface PhoneConditions {
  platform: "ios" | "android";
  version: string;
  notifications: Permission;
  tracking: Permission;
  interceptor: "none" | "handles" | "ignores";
  capabilities: Partial<Record<CapabilityName, Behaves>>;
}

/** What this page supplies to the browser host, which no browser has of its own. */
export interface Supplies {
  dismisser: boolean;
  settings: boolean;
  reviewer: boolean;
  tracking: boolean;
  userData: boolean;
  router: boolean;
  interceptor: boolean;
}

/** The version that a phone starts with. */
export const newestVersion = { ios: "18.5", android: "16" } as const;

/** The phone as it is at first. */
export const initialPhone: PhoneConditions = {
  platform: "ios",
  version: newestVersion.ios,
  notifications: "not_determined",
  tracking: "not_determined",
  interceptor: "none",
  capabilities: {},
};

/** What the page supplies at first. */
export const initialSupplies: Supplies = {
  dismisser: true,
  settings: false,
  reviewer: false,
  tracking: false,
  userData: true,
  router: true,
  interceptor: false,
};

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
/** Whether the call waits until no click counts. */
export const delayed = signal(false);
/** The person's own actions. */
export const custom = signal<readonly CustomAction[]>([]);
/** The conditions of the phone. */
export const phone = signal<PhoneConditions>(initialPhone);
/** What the page supplies to the browser host. */
export const supplies = signal<Supplies>(initialSupplies);

/** Puts an action into the call, with an example of its arguments. */
export function choose(name: string, example: Record<string, unknown>): void {
  identifier.value = name;
  text.value = write(example);
}
