// Tests and the service worker of an application, as the compiler sees them. It is only type-checked, never run.
import type { Actions, Result } from "@rehearsal/actions";
import { receive, triggerAnywhere } from "@rehearsal/actions/service-worker";
import { createTestActions, createTestHost, type Effect } from "@rehearsal/actions/testing";

interface Own {
  "open-cart": { arguments: { item: number }; value: string };
}

export async function inTests(): Promise<readonly Effect[]> {
  const { actions, effects, answer, refuse, reset } = createTestActions<Own>({ without: ["clipboard"], platform: "ios", intercept: (url) => url === "" });
  actions.register("open-cart", ({ arguments: { item } }) => item.toFixed());
  answer("tracking", "denied");
  refuse("link_opener", "blocked");
  reset();
  // @ts-expect-error: item is a number
  await actions.perform("open-cart", { item: "7" });
  // @ts-expect-error: there is no such capability
  createTestHost({ without: ["clip_board"] });
  // @ts-expect-error: nobody answers so
  answer("notifications", "perhaps");
  const first = effects[0];
  return first?.host === "link.open" && first.in_app ? [] : effects;
}

export async function inWorker(actions: Actions<Own>): Promise<Result> {
  const end: () => void = receive(actions);
  end();
  // @ts-expect-error: there is no such option
  await triggerAnywhere(actions, "open-cart", {}, { kind: "push" }, { opens: "/" });
  return triggerAnywhere(actions, "open-cart", { item: 7 }, { kind: "push", payload: {} }, { open: "/", limit: 1000 });
}
