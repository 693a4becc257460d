/**
 * Actions that a service worker cannot do by itself, handed over to a page. In the worker:
 *
 *     addEventListener("push", (event) => {
 *       const { title, action, arguments: args } = event.data.json();
 *       event.waitUntil(registration.showNotification(title, { data: { action, arguments: args } }));
 *     });
 *     addEventListener("notificationclick", (event) => {
 *       event.notification.close();
 *       const { action, arguments: args } = event.notification.data;
 *       event.waitUntil(triggerAnywhere(actions, action, args, { kind: "push" }, { open: "/" }));
 *     });
 *
 * In the page, once its actions are registered: `receive(actions)`.
 *
 * @packageDocumentation
 */
import { inside, lists } from "./builtins.js";
import type { Actions, ActionTypes, Declared, Result, Source } from "./index.js";

/** What the worker asks a page. */
interface Request {
  readonly rehearsalActions: "trigger";
  /** The same however often it is asked. */
  readonly id: string;
  /** When the worker does it by itself: a page that hears of it later, since it was loading, leaves it alone. */
  readonly until: number;
  readonly identifier: string;
  readonly arguments: object;
  readonly source: Source;
}

/** What the page answers: that it has begun, and what came of it. */
type Answer = "begun" | Result;

/** What is used of a window of the page's. */
interface Window {
  readonly id: string;
  readonly focused?: boolean;
  readonly visibilityState?: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
  focus?(): Promise<unknown>;
}

/** What is used of a service worker. */
interface Worker {
  readonly clients?: {
    matchAll(options: { readonly type: "window"; readonly includeUncontrolled: boolean }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<Window | null>;
  };
}

/** Options of {@link triggerAnywhere}. */
export interface AnywhereOptions {
  /**
   * For a click on a notification, which lets a worker do both: brings the page to the front, and opens it at this URL when there is none.
   */
  readonly open?: string;
  /** How many milliseconds a page has to begin; 5,000 by default. */
  readonly limit?: number;
}

/** How often a page that may still be loading is asked, in milliseconds. */
const again = 200;

/**
 * Triggers an action in this worker when everything of it can be done here, and in a page otherwise: the focused one, or a visible one, or any.
 * A link that is to be opened inside the application goes to a page too, if there is one: to its interceptor and its router.
 * When none begins it within the limit, the result is that of this worker, which says what is missing. An action that a page has begun
 * is awaited however long it takes. It is never done twice.
 */
export async function triggerAnywhere<T extends Declared<T> = ActionTypes>(
  actions: Actions<T>,
  identifier: string,
  args: object = {},
  source: Source = { kind: "manual" },
  options: AnywhereOptions = {},
): Promise<Result> {
  if ("load" in actions) {
    await (actions.load as () => Promise<void>)().catch(() => {}); // the trigger says why
  }
  const { clients } = globalThis as Worker;
  const all = parts(identifier, args);
  const missing = all.some(([part]) => actions.capability(part).state === "unsupported");
  const belongs = () => clients?.matchAll(windowsOfPage).then((windows) => windows.length > 0);
  if (clients && (missing || (all.some(isInside) && (await belongs())))) {
    const result = await onPage(clients, { rehearsalActions: "trigger", identifier, arguments: args, source }, options);
    if (result) {
      return result;
    }
  }
  return (actions as Actions).trigger(identifier, args, source);
}

/** All windows of the application, also those that the worker does not control. */
const windowsOfPage = { type: "window", includeUncontrolled: true } as const;

/** An action with its arguments. */
type Part = [identifier: string, args: unknown];

/** What is to be done: the listed actions where some are. */
function parts(identifier: string, args: object): Part[] {
  const items = (args as Record<string, unknown>)[lists[identifier.toLowerCase()] ?? ""];
  if (!Array.isArray(items)) {
    return [[identifier, args]];
  }
  return items.map((item: unknown) => (Array.isArray(item) ? [String(item[0]), item[1]] : [String(item), undefined]));
}

/** Reports whether an action asks for its effect inside the application. */
function isInside([identifier, args]: Part): boolean {
  return (args as Record<string, unknown> | null | undefined)?.[inside[identifier.toLowerCase()] ?? ""] === true;
}

/** Has a page do it. Returns nothing when none begins. */
async function onPage(clients: NonNullable<Worker["clients"]>, asked: Omit<Request, "id" | "until">, { open, limit = 5000 }: AnywhereOptions): Promise<Result | undefined> {
  const windows = await clients.matchAll(windowsOfPage);
  let page = windows.find(({ focused }) => focused) ?? windows.find(({ visibilityState }) => visibilityState === "visible") ?? windows[0];
  if (open !== undefined) {
    try {
      if (page) {
        await page.focus?.();
      } else {
        page = (await clients.openWindow(open)) ?? undefined;
      }
    } catch {
      // without a click a worker may do neither; a page that is there is asked all the same
    }
  }
  return page && ask(page, { ...asked, id: crypto.randomUUID(), until: Date.now() + limit }, limit + again);
}

/** Asks a page until it has begun: one that is loading does not hear at first. */
function ask(page: Window, request: Request, limit: number): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const ports: MessagePort[] = [];
    const end = (result: Result | undefined) => {
      silence();
      ports.forEach((port) => port.close());
      resolve(result);
    };
    const silence = () => {
      clearInterval(asking);
      clearTimeout(giving);
    };
    const once = () => {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      port1.onmessage = ({ data }: MessageEvent<Answer>) => (data === "begun" ? silence() : end(data));
      page.postMessage(request, [port2]);
    };
    const asking = setInterval(once, again);
    const giving = setTimeout(end, limit, undefined);
    once();
  });
}

/** How many requests a page remembers. */
const most = 1000;

/**
 * Has a page do what its service worker hands over, from now on. Returns what ends that. Call it once the actions are registered; it does
 * nothing where there is no service worker.
 */
export function receive<T extends Declared<T> = ActionTypes>(actions: Actions<T>): () => void {
  const container = globalThis.navigator?.serviceWorker as ServiceWorkerContainer | undefined;
  const begun = new Set<string>();
  const listen = ({ data, ports: [port] }: MessageEvent<Request | null>) => {
    if (data?.rehearsalActions !== "trigger" || port === undefined || begun.has(data.id) || Date.now() > data.until) {
      return;
    }
    if (begun.size === most) {
      begun.clear();
    }
    begun.add(data.id);
    port.postMessage("begun" satisfies Answer);
    void (actions as Actions).trigger(data.identifier, data.arguments, data.source).then((result) => reply(port, result));
  };
  container?.addEventListener("message", listen);
  container?.startMessages();
  return () => container?.removeEventListener("message", listen);
}

/** Sends a result; what cannot be sent of it stays. */
function reply(port: MessagePort, result: Result): void {
  try {
    port.postMessage(result);
  } catch {
    const { status, message } = result;
    port.postMessage({ status, ...(message !== undefined && { message }) } satisfies Answer);
  }
}
