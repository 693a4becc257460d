// The conditions of both hosts: how the simulated phone behaves, and what this page supplies to the browser.

import { signal } from "@preact/signals";
import type { CapabilityName as AnyCapability, Permission } from "../core/adapter";

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

/** What this page can supply for each capability, where no browser has it of its own. */
export const supplyTitles = {
  dismisser: { dismisser: "A message to dismiss" },
  user_data: { userData: "A user to tag and track" },
  link_opener: { router: "A router: links inside the page do not leave it" },
  settings: { settings: "Help on notification settings" },
  reviewer: { reviewer: "A rating dialog" },
  tracking: { tracking: "A consent dialog" },
  interceptor: { interceptor: "A deeplink interceptor that handles every link" },
  clipboard: {},
  notifications: {},
} as const satisfies Record<AnyCapability, Readonly<Record<string, string>>>;

type Titles = typeof supplyTitles;

/** What this page supplies to the browser host. */
export type Supplies = Record<{ [C in AnyCapability]: keyof Titles[C] }[AnyCapability], boolean>;

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

/** The conditions of the phone. */
export const phone = signal<PhoneConditions>(initialPhone);
/** What the page supplies to the browser host. */
export const supplies = signal<Supplies>(initialSupplies);
