// This browser, for real. The page supplies what only an application has: a message to dismiss, a user to tag, and a router for links
// inside of it. Settings, ratings and tracking consent do not exist in browsers, so these actions are unsupported here.

import { signal, type Signal } from "@preact/signals";
import { HostError, type Core, type Host } from "../core/adapter";
import { Effects, UserRecord } from "./effects";

/** The host of this browser, and what of it is on the page. */
export class Browser {
  /** Whether the message of this page is on the screen. */
  readonly message: Signal<boolean> = signal(true);
  /** The link that the page's own router shows; "" for none. */
  readonly inside: Signal<string> = signal("");
  readonly notifications: Signal<string> = signal(permission());
  readonly effects = new Effects();
  readonly user = new UserRecord();

  constructor() {
    const look = (): void => void (this.notifications.value = permission());
    navigator.permissions
      ?.query({ name: "notifications" })
      .then((status) => status.addEventListener("change", look))
      .catch(() => undefined);
    addEventListener("focus", look);
  }

  /** The host: the browser's own capabilities, and those that the page supplies. */
  host(core: Core): Host {
    return this.#observed(
      core.browserHost({
        dismisser: { dismiss: () => this.#dismiss() },
        navigate: (url: URL) => void (this.inside.value = url.href),
        userData: this.user.capability(this.effects),
      }),
    );
  }

  relaunch(): void {
    this.message.value = true;
    this.inside.value = "";
  }

  // Each real capability leaves a line when it succeeded. The calls stay in the same turn as the click.
  #observed(host: Host): Host {
    const { linkOpener, clipboard, notifications } = host;
    return {
      ...host,
      ...(linkOpener && {
        linkOpener: {
          open: (url: string, options: { inApp: boolean }) =>
            this.#noted(linkOpener.open(url, options), options.inApp ? "link opened inside the page" : "link opened", url),
        },
      }),
      ...(clipboard && {
        clipboard: {
          write: (text: string) => this.#noted(clipboard.write(text), text === "" ? "clipboard cleared" : "copied to the clipboard", text),
        },
      }),
      ...(notifications && {
        notifications: {
          status: () => notifications.status(),
          request: async () => {
            const answer = await notifications.request();
            this.notifications.value = permission();
            this.effects.note("notification permission", answer ?? "");
            return answer;
          },
        },
      }),
    };
  }

  #noted(doing: unknown, what: string, detail: string): unknown {
    if (doing instanceof Promise) return doing.then(() => this.effects.note(what, detail));
    this.effects.note(what, detail);
    return doing;
  }

  #dismiss(): void {
    if (!this.message.peek()) throw new HostError("failed", "no message is shown");
    this.message.value = false;
    this.effects.note("message dismissed");
  }
}

function permission(): string {
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}
