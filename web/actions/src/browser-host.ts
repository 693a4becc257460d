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
 * `unsupported` unless the page supplies it.
 */
export function browserHost(options: BrowserHostOptions = {}): Host {
  const { dismisser, interceptor, settings, reviewer, tracking, userData, navigate } = options;
  const capabilities: { readonly [place in Exclude<keyof Host, "needsGesture">]: Host[place] | undefined } = {
    dismisser,
    interceptor,
    settings,
    reviewer,
    tracking,
    userData,
    linkOpener: { open: (url, { inApp }) => openLink(url, inApp, navigate) },
    clipboard: navigator.clipboard && { write: writeText },
    notifications: typeof Notification === "function" ? { status: notificationStatus, request: requestNotifications } : undefined,
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

/**
 * Opens a link in a new tab, or inside the app: in this tab, or as the page itself says. Links of other kinds than the web's, such
 * as mail and telephone, go to the browser in either case: it asks another program and the page stays. Which links are refused is
 * decided before.
 */
function openLink(text: string, inApp: boolean, navigate: BrowserHostOptions["navigate"]): unknown {
  let url: URL;
  try {
    url = new URL(text, document.baseURI);
  } catch (thrown) {
    throw new HostError("failed", `the link "${text}" cannot be read`, { cause: thrown });
  }
  // The core refuses such links on the web; here they would run, whatever platform the registry says it is of.
  if (executable.has(url.protocol)) {
    throw new HostError("blocked", `a browser must not open links that begin with ${url.protocol}`);
  }
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
  if (tab === null) {
    throw new HostError("blocked", "the browser did not let the page open a tab: it does so within a gesture of the user's");
  }
  tab.opener = null;
  tab.location.replace(url);
  return undefined;
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

async function requestNotifications(): Promise<Permission> {
  return permissionOf(await Notification.requestPermission());
}

function needsGesture(capability: CapabilityName): boolean {
  return gestures[capability] && !(navigator.userActivation?.isActive ?? false);
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
  const blocked = name === "NotAllowedError" || name === "SecurityError";
  const reason = thrown instanceof Error ? ": " + thrown.message : "";
  return new HostError(blocked ? "blocked" : "failed", message + reason, { cause: thrown });
}
