// The built site, and a server that serves it as `make run` does.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChromium } from "../../web/playground/test/support/chromium.mjs";
import { serve as start } from "../../web/playground/test/support/server.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const site = join(root, "build/docs");
export const base = "/guide/";

/** Every page of the site, by its path. */
export function pages() {
  const found = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  return new Map(found.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(site, name), "utf8")]));
}

const browser = findChromium();
const program = process.env.MOCKSERVER ?? join(root, "build/mockserver");

/** What is missing to look at the site in a browser; "" for nothing. */
export function missing() {
  if (!browser) return "there is no Chromium: install it, or name it in CHROMIUM";
  return existsSync(program) ? "" : "the program is not built: make build/mockserver";
}

export function launch() {
  return chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Serves the site on a free port. */
export async function serve() {
  const web = join(root, "build/docs-test");
  rmSync(web, { recursive: true, force: true });
  mkdirSync(web, { recursive: true });
  writeFileSync(join(web, "index.html"), "<!doctype html><title>The page</title>");
  cpSync(site, join(web, "guide"), { recursive: true });
  return start(program, ["--profiles", "100", "--web", web]);
}
