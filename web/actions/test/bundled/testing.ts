// Tests of an application, as the compiler sees them. It is only type-checked, never run.
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
