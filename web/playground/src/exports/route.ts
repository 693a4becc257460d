// Which of the exports' views the address names, and what a link carries.

import { signal } from "@preact/signals";
import { decode } from "../core/base64url";
import { restore } from "./request/draft";
import { selectedId } from "./runs/runs";

/** The views, by the part of the address. */
export const tabs = [
  ["", "Make and watch"],
  ["validate", "Validate"],
  ["journal", "Journal"],
  ["commands", "Command line"],
] as const;

/** The name of a view. */
export type Tab = (typeof tabs)[number][0];

/** The view that is shown. */
export const tab = signal<Tab>("");
/** Whether the address carried something that could not be read. */
export const unreadable = signal(false);

/** Follows the address. */
export function follow(): void {
  const [, name = "", held = ""] = location.hash.split("/");
  if (!location.hash.startsWith("#exports")) return;
  unreadable.value = false;
  if (name === "make") unreadable.value = !read(held);
  if (name === "file") selectedId.value = decodeURIComponent(held);
  tab.value = tabs.find(([known]) => known === name)?.[0] ?? "";
}

function read(held: string): boolean {
  try {
    return restore(decode(held));
  } catch {
    return false;
  }
}
