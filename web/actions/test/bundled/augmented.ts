// An application that declares its actions for all registries: a program of its own, for the others must not see it. Never run.
import { loadActions, type Actions, type Handler } from "@rehearsal/actions";

declare module "@rehearsal/actions" {
  interface ActionTypes {
    "open-cart": { arguments: { item: number }; value: string };
  }
}

export const openCart: Handler<import("@rehearsal/actions").ActionTypes, "open-cart"> = ({ arguments: { item } }) => item.toFixed();

export async function augmented(): Promise<string | undefined> {
  const actions: Actions = await loadActions();
  actions.register("open-cart", openCart);
  actions.register("other", ({ arguments: args, perform }) => {
    // @ts-expect-error: item is a number
    void perform("open-cart", { item: "7" });
    return args.anything;
  });
  // @ts-expect-error: the value is a text
  actions.register("open-cart", () => 7);
  // @ts-expect-error: item is a number
  await actions.trigger("Open-Cart", { item: "7" });
  // @ts-expect-error: also in a group
  await actions.perform("service.group", { actions: [["open-cart", { item: "7" }]] });
  const result = await actions.perform("open-cart", { item: 7 });
  return result.value;
}
