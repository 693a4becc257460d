// The scene: a message on the phone and in this browser, whose buttons perform actions.

import { effect, signal, untracked } from "@preact/signals";
import type { Arguments } from "../core/adapter";
import { announcement } from "../core/announcement";
import { phone as conditions } from "../hosts/conditions";
import type { HostName } from "../hosts/names";
import { statusWords } from "../sessions/log";
import { browser, phone, sessions } from "../sessions/sessions";
import { names, prepareRecording, record, recordUserChange } from "./recorder";

/** One button of the message. */
export interface Button {
  label: string;
  identifier: string;
  args: Arguments;
  about: string;
}

/** The buttons that a message may have. */
export const buttons: readonly Button[] = [
  {
    label: "See the offers",
    identifier: "service.deeplink",
    args: { l: "/?offers#loop", li: true },
    about: "opens a link inside the app",
  },
  { label: "Keep me posted", identifier: "service.request_notifications", args: {}, about: "asks for notifications" },
  {
    label: "I like running",
    identifier: "service.group",
    args: {
      actions: [
        ["service.user.tag", { a: "add", c: "interests", t: "running" }],
        ["service.user.event", { e: "interest_chosen", l: "running" }],
      ],
    },
    about: "adds a tag and sends an event",
  },
  { label: "Copy my code", identifier: "service.clipboard", args: { t: "WELCOME10" }, about: "copies a text" },
];

/** Whether the message is on the screen of a host. */
export const shown = {
  phone: signal(false),
  browser: signal(false),
} satisfies Record<HostName, unknown>;

/** What came of the last tap, by host. */
export const outcome = { phone: signal(""), browser: signal("") } satisfies Record<HostName, unknown>;

const campaign = names.campaign;

/** Shows the message. */
export function show(host: HostName): void {
  if (host === "phone") phone.screen.value = { kind: "app", message: false };
  if (host === "browser") browser.inside.value = "";
  outcome[host].value = "";
  shown[host].value = true;
  record(host, "inapp_supplied", { campaign });
  record(host, "inapp_shown", { campaign });
}

/** Closes the message without an action. */
export function close(host: HostName): void {
  shown[host].value = false;
  record(host, "inapp_closed", { campaign });
}

/** Performs what a button is for, as the message's doing. It calls into the host before it returns, so that the tap counts. */
export function tap(host: HostName, position: number): void {
  const session = sessions.value[host];
  const button = buttons[position];
  if (!session || !button) return;
  record(host, "inapp_clicked", { campaign, cta: button.identifier, cta_position: position });
  const running = session.run(button.identifier, button.args, { kind: "in_app", payload: { campaign } });
  shown[host].value = false;
  outcome[host].value = `${button.label}: under way`;
  running.then(
    ({ status, message }) => {
      outcome[host].value = `${button.label}: ${statusWords[status]}${message ? `, ${message}` : ""}`;
      announcement.value = outcome[host].value;
    },
    () => (outcome[host].value = `${button.label}: failed`),
  );
}

// What the permissions were before the change that is recorded first.
const before = { phone: false, browser: false };

const granted = (): boolean => browser.notifications.value === "granted";

/** Begins to record, and returns what ends it. */
export function begin(): () => void {
  void prepareRecording(() => ({
    platform: conditions.peek().platform,
    optedIn: { phone: before.phone, browser: before.browser },
  }));
  before.phone = conditions.peek().notifications === "authorized";
  before.browser = granted();
  phone.user.listener = recordUserChange("phone");
  browser.user.listener = recordUserChange("browser");
  if (phone.screen.peek().kind === "app") phone.screen.value = { kind: "app", message: false };
  const stops = [
    changes(() => conditions.value.notifications, (next) => {
      if (next === "authorized" || next === "denied") record("phone", "reachability", { is_optin: next === "authorized" });
      before.phone = next === "authorized";
    }),
    changes(() => browser.notifications.value, (next) => {
      if (next === "granted" || next === "denied") record("browser", "reachability", { is_optin: next === "granted" });
      before.browser = next === "granted";
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    phone.user.listener = undefined;
    browser.user.listener = undefined;
  };
}

// Calls back when a value is another one than before, but not for the first.
function changes<T>(read: () => T, then: (next: T) => void): () => void {
  let before = untracked(read);
  return effect(() => {
    const next = read();
    if (next === before) return;
    before = next;
    untracked(() => then(next));
  });
}
