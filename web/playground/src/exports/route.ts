// Which of the exports' views the address names, and what a link carries.

import { signal } from "@preact/signals";
import { decodeJson, unreadable } from "../core/base64url";
import { readCatalog } from "./api/kinds";
import { restore } from "./request/draft";
import { selectedId } from "./runs/runs";

/** The views, by the part of the address. */
export const tabs = [
  ["", "Make"],
  ["person", "One person"],
  ["journal", "Journal"],
] as const;

/** The name of a view. */
export type Tab = (typeof tabs)[number][0];

/** The view that is shown. */
export const tab = signal<Tab>("");
/** Follows the address. */
export function follow(): void {
  const [, name = "", argument = ""] = location.hash.split("/");
  if (!location.hash.startsWith("#exports")) return;
  unreadable.value = false;
  // Which kinds there are, the server says; without it, the view says that.
  if (name === "make") readCatalog().then(() => (unreadable.value = !read(argument)), () => {});
  if (name === "file") {
    try {
      selectedId.value = decodeURIComponent(argument);
    } catch {
      unreadable.value = true;
    }
  }
  tab.value = tabs.find(([known]) => known === name)?.[0] ?? "";
}

function read(argument: string): boolean {
  try {
    return restore(decodeJson(argument));
  } catch {
    return false;
  }
}
