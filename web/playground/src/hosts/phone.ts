// The simulated phone: a host whose every capability ends on a drawn screen.

import { signal, type Signal } from "@preact/signals";
import { HostError, type Host } from "../core/adapter";
import { Prompts } from "../core/prompts";
import { capabilityNames, phone as conditions, type CapabilityName, type PhoneConditions } from "./conditions";
import { Effects, UserRecord } from "./effects";

/** What is on the screen of the phone, below any question. */
export type Screen =
  | { kind: "app"; message: boolean }
  | { kind: "home" }
  | { kind: "inside"; url: string }
  | { kind: "outside"; url: string; web: boolean }
  | { kind: "settings"; page: "notifications" | "app" };

const change = (next: Partial<PhoneConditions>): void => {
  conditions.value = { ...conditions.value, ...next };
};

/** Where a capability is in a host: userData for user_data. */
const placeOf = (name: CapabilityName): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The phone, and what is on its screen. */
export class Phone {
  readonly screen: Signal<Screen> = signal({ kind: "app", message: true });
  readonly clipboard: Signal<string | undefined> = signal(undefined);
  readonly prompts = new Prompts();
  readonly effects = new Effects();
  readonly user = new UserRecord();

  /** The host for the conditions as they are: a capability that is missing is left out, one that refuses does so by itself. */
  host(): Host {
    const now = conditions.peek();
    const missing = new Set<string>();
    for (const name of capabilityNames) if (now.capabilities[name] === "missing") missing.add(placeOf(name));
    if (now.interceptor === "none") missing.add("interceptor");
    const user = this.user.capability(this.effects);
    const capabilities: Required<Omit<Host, "needsGesture">> = {
      dismisser: { dismiss: () => this.#guard("dismisser", () => this.#dismiss()) },
      linkOpener: { open: (url, { inApp }) => this.#guard("link_opener", () => this.#open(url, inApp)) },
      interceptor: { handle: (url) => this.#intercept(url) },
      notifications: {
        status: () => conditions.peek().notifications,
        request: () => this.#guard("notifications", () => this.#askNotifications()),
      },
      settings: { open: (page) => this.#guard("settings", () => this.#settings(page)) },
      clipboard: { write: (text) => this.#guard("clipboard", () => this.#copy(text)) },
      reviewer: { request: () => this.#guard("reviewer", () => this.#rate()) },
      tracking: {
        status: () => conditions.peek().tracking,
        request: () => this.#guard("tracking", () => this.#askTracking()),
      },
      userData: {
        addTag: (collection, tag) => this.#guard("user_data", () => user.addTag(collection, tag)),
        removeTag: (collection, tag) => this.#guard("user_data", () => user.removeTag(collection, tag)),
        sendEvent: (event) => this.#guard("user_data", () => user.sendEvent(event)),
      },
    };
    return Object.fromEntries(Object.entries(capabilities).filter(([place]) => !missing.has(place)));
  }

  /** A fresh launch of the application: questions are gone, the message is back. */
  relaunch(): void {
    this.prompts.clear();
    this.screen.value = { kind: "app", message: true };
  }

  /** Opens the application where it was left: nothing of it is performed, or shown, behind the home screen. */
  foreground(): void {
    if (this.screen.peek().kind === "home") this.screen.value = { kind: "app", message: true };
  }

  // How a capability behaves is looked up at the moment of use.
  #guard<T>(name: CapabilityName, act: () => T): T {
    switch (conditions.peek().capabilities[name]) {
      case "blocked":
        throw new HostError("blocked", "the phone was set to block this");
      case "failed":
        throw new HostError("failed", "the phone was set to fail here");
    }
    return act();
  }

  #dismiss(): void {
    this.screen.value = { kind: "home" };
    this.effects.note("message dismissed", "the application goes to the background");
  }

  #open(url: string, inApp: boolean): void {
    this.screen.value = inApp ? { kind: "inside", url } : { kind: "outside", url, web: /^\s*https?:/i.test(url) };
    this.effects.note(inApp ? "link opened in the app" : "link opened", url);
  }

  #intercept(url: string): boolean {
    const handled = conditions.peek().interceptor === "handles";
    this.effects.note(handled ? "interceptor handled" : "interceptor passed on", url);
    return handled;
  }

  async #askNotifications() {
    this.effects.note("notification pop-up shown");
    const answer = await this.prompts.ask("notifications");
    const permission = answer === "allow" ? "authorized" : "denied";
    change({ notifications: permission });
    this.effects.note("notification pop-up answered", permission);
    return permission;
  }

  async #askTracking() {
    this.effects.note("tracking pop-up shown");
    const answer = await this.prompts.ask("tracking");
    const permission = answer === "allow" ? "authorized" : "denied";
    change({ tracking: permission });
    this.effects.note("tracking pop-up answered", permission);
    return permission;
  }

  // The system never tells what came of a rating: the action ends as soon as the dialog was asked for.
  #rate(): void {
    this.effects.note("rating dialog shown");
    void this.prompts.ask("rating").then((answer) => this.effects.note("rating dialog closed", answer));
  }

  #settings(page: "notifications" | "app"): void {
    this.screen.value = { kind: "settings", page };
    this.effects.note("settings opened", page);
  }

  #copy(text: string): void {
    this.clipboard.value = text;
    this.effects.note(text === "" ? "clipboard cleared" : "copied to the clipboard", text);
  }
}
