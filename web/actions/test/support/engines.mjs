// The engines that the tests run in, each with the few operations on a page that the tests use, named as playwright-core names them.
import { execFileSync } from "node:child_process";

/** Finds a program: the first of the names that is one. */
export function find(...names) {
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
export async function launchChromium(args = []) {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quiet, ...offline, ...args],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
}

async function chromium({ args }) {
  const browser = await launchChromium(args);
  return {
    browser,
    newPage: async (contextOptions) => (await browser.newContext(contextOptions)).newPage(),
    close: () => browser.close(),
  };
}

async function firefox() {
  const { launchFirefox } = await import("./firefox.mjs");
  return launchFirefox(findFirefox());
}

async function webkit({ server }) {
  const { launchWebKit } = await import("./webkit.mjs");
  return launchWebKit(server);
}

/** What starts an engine, and what is missing for it. */
export const engines = {
  chromium: { launch: chromium, missing: () => !findChromium() && "there is no Chromium: install it, or name it in CHROMIUM" },
  firefox: { launch: firefox, missing: () => !findFirefox() && "there is no Firefox: install firefox-esr, or name it in FIREFOX" },
  webkit: {
    launch: webkit,
    missing: () => !(find("WebKitWebDriver") && find("Xvfb")) && "there is no WebKitGTK: install webkit2gtk-driver and xvfb",
  },
};

/** The engine that is tested. */
export const engine = process.env.ACTIONS_ENGINE ?? "chromium";
