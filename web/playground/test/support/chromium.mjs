// Where Chromium is.

import { execFileSync } from "node:child_process";

/** Finds Chromium: CHROMIUM names it, or it is on the path. */
export function findChromium() {
  for (const name of [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean)) {
    try {
      return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
    } catch {
      // not this one
    }
  }
  return undefined;
}
