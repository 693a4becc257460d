import { HostError } from "./errors.js";
import type { CapabilityName, Host, Permission } from "./types.js";

/** What a page adds to what every browser can do. Each part may be missing. */
export interface BrowserHostOptions {
  /** Dismisses the message that an action came from. A page cannot close itself, so this has no default. */
  readonly dismisser?: Host["dismisser"];
  /** Is asked before a link is opened. */
  readonly interceptor?: Host["interceptor"];
  /** Opens a link inside the page, such as a router does. The default leaves the page for the link. */
  readonly navigate?: (url: URL) => unknown;
  /** After how many milliseconds a prompt that nobody answers ends as `canceled`: browsers leave it there for ever. 120,000 by default. */
  readonly promptTimeout?: number;
  /** Opens the page's settings. No browser lets a page open its own. */
  readonly settings?: Host["settings"];
  /** Asks for a review. No browser has such a thing. */
  readonly reviewer?: Host["reviewer"];
  /** Knows and asks for the consent to tracking. No browser has such a thing. */
  readonly tracking?: Host["tracking"];
  /** Keeps what is known of the user. */
  readonly userData?: Host["userData"];
}

/**
 * The host of a real page. Clipboard, links and the prompt for notifications are the browser's; what no browser offers is
 * `unsupported` unless the page supplies it. So is everywhere else what is not there: a worker has no clipboard and no prompt, a service
 * worker opens links as it may, and a server has nothing.
 */
export function browserHost(options: BrowserHostOptions = {}): Host {
  const { dismisser, interceptor, settings, reviewer, tracking, userData, navigate, promptTimeout = 120_000 } = options;
  const capabilities: { readonly [place in Exclude<keyof Host, "needsGesture">]: Host[place] | undefined } = {
    dismisser,
    interceptor,
    settings,
    reviewer,
    tracking,
    userData,
    linkOpener: linkOpener(navigate),
    clipboard: globalThis.navigator?.clipboard && { write: writeText },
    notifications: canAsk() ? { status: notificationStatus, request: () => requestNotifications(promptTimeout) } : undefined,
  };
  const present = Object.entries(capabilities).filter(([, capability]) => capability);
  return { ...(Object.fromEntries(present) as Host), needsGesture };
}

/** Nothing is awaited before the browser is called: it wants the call stack of the user's gesture. */
function writeText(text: string): Promise<void> {
  return navigator.clipboard.writeText(text).catch((thrown: unknown) => {
    throw refusal(thrown, "the browser did not let the page write to the clipboard");
  });
}

/** The globals of a service worker that open links. */
interface ServiceWorker {
  readonly clients?: Clients;
}

/** What is used of the windows that a service worker controls. */
interface Clients {
  openWindow?(url: string): Promise<unknown>;
  matchAll?(options: { readonly type: "window" }): Promise<readonly Controlled[]>;
}

interface Controlled {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

/** How links are opened where this runs: not at all in workers other than service workers. */
function linkOpener(navigate: BrowserHostOptions["navigate"]): Host["linkOpener"] {
  if (typeof document === "object") {
    return { open: (url, { inApp }) => openLink(url, inApp, navigate) };
  }
  const { clients } = globalThis as ServiceWorker;
  return clients?.openWindow && { open: (url) => openWindow(clients as Required<Clients>, url) };
}

/**
 * Opens a link from a service worker: in the window that shows it, else in one that goes there, and else in a new one. A browser lets a
 * worker do so for a click on a notification.
 */
async function openWindow(clients: Required<Clients>, text: string): Promise<void> {
  const url = parsed(text);
  try {
    const windows = url.origin === location.origin ? await clients.matchAll({ type: "window" }) : [];
    const there = windows.find((window) => window.url === url.href);
    const page = there ?? windows.find(({ visibilityState }) => visibilityState === "visible") ?? windows[0];
    await (page ? page.focus() : clients.openWindow(url.href));
    if (page !== there) {
      await page?.navigate(url.href);
    }
  } catch (thrown) {
    throw refusal(thrown, "the browser did not let the service worker open a window: it does so for a click on a notification");
  }
}

/**
 * Opens a link in a new tab, or inside the app: in this tab, or as the page itself says. Links of other kinds than the web's, such
 * as mail and telephone, go to the browser in either case: it asks another program and the page stays. Which links are refused is
 * decided before.
 */
function openLink(text: string, inApp: boolean, navigate: BrowserHostOptions["navigate"]): unknown {
  const url = parsed(text);
  const ofTheWeb = url.protocol === "https:" || url.protocol === "http:";
  if (ofTheWeb && inApp && navigate) {
    return navigate(url);
  }
  if (!ofTheWeb || inApp) {
    location.assign(url);
    return undefined;
  }
  // A tab that is opened with "noopener" does not say whether it was blocked.
  const tab = window.open("", "_blank");
  if (!tab) {
    throw new HostError("blocked", "the browser did not let the page open a tab: it does so within a gesture of the user's");
  }
  tab.opener = null;
  tab.location.replace(url);
  return undefined;
}

/** Reads a link. The core refuses those that run code on the web; here they would run, whatever platform the registry says it is of. */
function parsed(text: string): URL {
  let url: URL;
  try {
    url = new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (thrown) {
    throw new HostError("failed", `the link "${text}" cannot be read`, { cause: thrown });
  }
  if (executable.has(url.protocol)) {
    throw new HostError("blocked", `a browser must not open links that begin with ${url.protocol}`);
  }
  return url;
}

const executable = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:"]);

function permissionOf(state: NotificationPermission): Permission {
  switch (state) {
    case "granted":
      return "authorized";
    case "denied":
      return "denied";
    default:
      return "not_determined";
  }
}

function notificationStatus(): Permission {
  return permissionOf(Notification.permission);
}

/** Says whether there is a prompt: workers know the permission, and cannot ask for it. */
function canAsk(): boolean {
  return typeof Notification === "function" && typeof Notification.requestPermission === "function";
}

function requestNotifications(limit: number): Promise<Permission> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new HostError("canceled", `the prompt for notifications was not answered within ${limit / 1000} s`));
    }, Math.min(limit, longest));
    Notification.requestPermission()
      .then((state) => resolve(permissionOf(state)), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The longest time that timers take. */
const longest = 0x7fffffff;

function needsGesture(capability: CapabilityName): boolean {
  return typeof document === "object" && gestures[capability] && !(navigator.userActivation?.isActive ?? false);
}

const gestures: Record<CapabilityName, boolean> = {
  clipboard: true,
  dismisser: false,
  interceptor: false,
  link_opener: true,
  notifications: true,
  reviewer: false,
  settings: false,
  tracking: false,
  user_data: false,
};

/** Makes the error of a browser that did not do it. */
function refusal(thrown: unknown, message: string): HostError {
  const name = thrown instanceof DOMException ? thrown.name : "";
  const blocked = ["NotAllowedError", "SecurityError", "InvalidAccessError"].includes(name);
  const reason = thrown instanceof Error ? ": " + thrown.message : "";
  return new HostError(blocked ? "blocked" : "failed", message + reason, { cause: thrown });
}
