// The scene: a message on the phone, whose buttons perform actions.

import { effect, signal, untracked } from "@preact/signals";
import type { Arguments } from "../core/adapter";
import { announcement } from "../core/announcement";
import { phone as conditions } from "../hosts/conditions";
import { statusWords } from "../sessions/log";
import { phone, sessions } from "../sessions/sessions";
import { names, prepareRecording, record } from "./recorder";

/** One button of the message. */
interface Button {
  label: string;
  identifier: string;
  args: Arguments;
  about: string;
}

/** The buttons of the message. */
export const buttons: readonly Button[] = [
  { label: "See the offers", identifier: "service.deeplink", args: { l: "/?offers#loop", li: true }, about: "opens a link inside the app" },
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

/** Whether the message is on the screen. */
export const shown = signal(false);
/** What came of the last tap. */
export const outcome = signal("");

const { campaign } = names;

/** Shows the message. */
export function show(): void {
  phone.screen.value = { kind: "app", message: false };
  outcome.value = "";
  shown.value = true;
  record("inapp_supplied", { campaign });
  record("inapp_shown", { campaign });
}

/** Closes the message without an action. */
export function close(): void {
  shown.value = false;
  record("inapp_closed", { campaign });
}

/** Performs the action of a button, caused by the message. It calls into the host before it returns, so that the tap counts. */
export function tap({ label, identifier, args }: Button, position: number): void {
  const session = sessions.value.phone;
  if (!session) return;
  record("inapp_clicked", { campaign, cta: identifier, cta_position: position });
  shown.value = false;
  outcome.value = `${label}: under way`;
  session.run(identifier, args, { kind: "in_app", payload: { campaign } }).then(
    ({ status, message }) => (outcome.value = announcement.value = `${label}: ${statusWords[status]}${message ? `, ${message}` : ""}`),
    () => (outcome.value = `${label}: failed`),
  );
}

/** Begins to record, and returns what ends it. */
export function begin(): () => void {
  let before = conditions.peek().notifications;
  void prepareRecording({ platform: conditions.peek().platform, optedIn: before === "authorized" });
  phone.user.listener = (one) => {
    if (one.what !== "event") return record(one.what, { collection: one.collection, tag: one.tag });
    const { name, label, tags, data } = one;
    record("custom_event", { name, ...(label !== null && { label }), ...(tags.length > 0 && { tags }), data });
  };
  if (phone.screen.peek().kind === "app") phone.screen.value = { kind: "app", message: false };
  const stop = effect(() => {
    const next = conditions.value.notifications;
    if (next === before) return;
    before = next;
    if (next === "authorized" || next === "denied") untracked(() => record("reachability", { is_optin: next === "authorized" }));
  });
  return () => {
    stop();
    phone.user.listener = undefined;
  };
}
