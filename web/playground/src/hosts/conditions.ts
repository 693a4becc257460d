// The conditions of the simulated phone.

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

/** The conditions of the phone. */
export const phone = signal<PhoneConditions>(initialPhone);
