// What the compiler says of arguments. It is only type-checked, never run.
import type { Actions, Arguments, ArgumentsOf, Handler } from "@rehearsal/actions";

export async function builtins(actions: Actions): Promise<void> {
  await actions.perform("service.clipboard", { t: "x" });
  await actions.perform("SERVICE.Deeplink", { l: "https://example.com", li: null }, { signal: AbortSignal.timeout(1) });
  await actions.perform("service.user.event", { e: "read", l: null, t: ["a"], a: { minutes: 4, more: [1n, { x: null }] } });
  await actions.trigger("service.user.tag", { a: "add", c: "c", t: "t" }, { kind: "push" });
  await actions.perform("service.group", { actions: [["service.clipboard", { t: "x" }], ["open-cart", { item: 7 }]] });
  await actions.perform("service.request_notifications");
  await actions.perform("service.rating", {});
  await actions.perform("service.dismiss", null);
  actions.validate("service.clipboard", { t: 5 });

  // @ts-expect-error: there is no argument txt
  await actions.perform("service.clipboard", { txt: 1 });
  // @ts-expect-error: nor in another letter case
  await actions.perform("Service.Clipboard", { txt: 1 });
  // @ts-expect-error: t is a text
  await actions.perform("service.clipboard", { t: 1 });
  // @ts-expect-error: t is missing
  await actions.trigger("service.clipboard", {});
  // @ts-expect-error: li is no text
  await actions.perform("service.deeplink", { l: "app:x", li: "true" });
  // @ts-expect-error: nothing is edited so
  await actions.perform("service.user.tag", { a: "edit", c: "c", t: "t" });
  // @ts-expect-error: an item is a pair
  await actions.perform("service.group", { actions: [["service.dismiss"]] });
  // @ts-expect-error: it has no arguments
  await actions.perform("service.rating", { stars: 5 });
}

export async function others(actions: Actions, identifier: string, args: Arguments): Promise<void> {
  await actions.perform(identifier, args);
  await actions.perform(identifier, { txt: 1 });
  await actions.perform("open-cart", { txt: 1, list: [true, null] });
  await actions.trigger("service.not-there", { txt: 1 });
  // @ts-expect-error: a date cannot be an argument
  await actions.perform("open-cart", { d: new Date() });
}

export const inside: Handler = ({ perform }) => {
  // @ts-expect-error: there is no argument txt
  void perform("service.clipboard", { txt: 1 });
  return perform("service.clipboard", { t: "x" } satisfies ArgumentsOf<"service.clipboard">);
};
