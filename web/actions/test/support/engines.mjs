// The engines that the tests run in, each with the few operations on a page that the tests use, named as playwright-core names them.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";
import { launchFirefox } from "./firefox.mjs";
import { findMiniBrowser, launchWebKit } from "./webkit.mjs";

/** Finds a program: the first of the names that is one. */
function find(...names) {
  for (const name of names.filter(Boolean)) {
    try {
      return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
    } catch {
      // not this one
    }
  }
  return undefined;
}

const findChromium = () => find(process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome");
const findFirefox = () => find(process.env.FIREFOX, "firefox-esr", "firefox");

const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts Chromium. Pop-ups are blocked unless a gesture of the user's opens them, as in every browser. */
export function launchChromium(args = []) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...offline, ...args],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
}

const withContexts = (browser) => ({
  browser,
  newPage: async (contextOptions) => (await browser.newContext(contextOptions)).newPage(),
  close: () => browser.close(),
});

/** What starts an engine, and what is missing for it. */
export const engines = {
  chromium: {
    launch: async ({ args }) => withContexts(await launchChromium(args)),
    missing: () => !findChromium() && "there is no Chromium: install it, or name it in CHROMIUM",
  },
  firefox: {
    launch: () => launchFirefox(findFirefox()),
    missing: () => !findFirefox() && "there is no Firefox: install firefox-esr, or name it in FIREFOX",
  },
  webkit: {
    launch: ({ server }) => launchWebKit(server),
    missing: () => !(find("WebKitWebDriver") && find("Xvfb") && findMiniBrowser()) && "there is no WebKitGTK: install webkit2gtk-driver and xvfb",
  },
};

/** The engine that is tested. */
export const engine = process.env.ACTIONS_ENGINE ?? "chromium";
