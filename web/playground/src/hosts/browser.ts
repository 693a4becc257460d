// This browser, for real. What no browser has (settings, rating, tracking consent, a user to tag, a message to dismiss) the page
// supplies, as an application's page would; each of these can be withheld.

import { signal, type Signal } from "@preact/signals";
import { HostError, type Core, type Host, type Permission } from "../core/adapter";
import { Prompts } from "../core/prompts";
import { supplies } from "./conditions";
import { Effects, UserRecord } from "./effects";

/** The host of this browser, and what of it is on the page. */
export class Browser {
  /** Whether the message of this page is on the screen. */
  readonly message: Signal<boolean> = signal(true);
  /** The link that the page's own router shows; "" for none. */
  readonly inside: Signal<string> = signal("");
  /** Whether the page shows its own help on settings. */
  readonly help: Signal<boolean> = signal(false);
  readonly tracking: Signal<Permission> = signal<Permission>("not_determined");
  readonly notifications: Signal<string> = signal(permission());
  readonly prompts = new Prompts();
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
    const now = supplies.peek();
    return this.#observed(
      core.browserHost({
        ...(now.dismisser && { dismisser: { dismiss: () => this.#dismiss() } }),
        ...(now.interceptor && { interceptor: { handle: (url) => this.#intercept(url) } }),
        ...(now.router && { navigate: (url: URL) => void (this.inside.value = url.href) }),
        ...(now.settings && { settings: { open: (page) => this.#settings(page) } }),
        ...(now.reviewer && { reviewer: { request: () => this.#rate() } }),
        ...(now.tracking && { tracking: { status: () => this.tracking.peek(), request: () => this.#askTracking() } }),
        ...(now.userData && { userData: this.user.capability(this.effects) }),
      }),
    );
  }

  relaunch(): void {
    this.prompts.clear();
    this.message.value = true;
    this.inside.value = "";
    this.help.value = false;
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
          write: (text: string) =>
            this.#noted(clipboard.write(text), text === "" ? "clipboard cleared" : "copied to the clipboard", text),
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

  #intercept(url: string): boolean {
    this.effects.note("interceptor handled", url);
    return true;
  }

  #settings(page: string): void {
    this.help.value = true;
    this.effects.note("settings help shown", page);
  }

  #rate(): void {
    this.effects.note("rating dialog shown");
    void this.prompts.ask("rating").then((answer) => this.effects.note("rating dialog closed", answer));
  }

  async #askTracking(): Promise<Permission> {
    this.effects.note("tracking consent asked");
    this.tracking.value = (await this.prompts.ask("tracking")) === "allow" ? "authorized" : "denied";
    this.effects.note("tracking consent answered", this.tracking.value);
    return this.tracking.value;
  }
}

function permission(): string {
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}
