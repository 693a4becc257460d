// What the compiler says of an application's own actions, for one registry and in values that are no literals. Never run.
import { createActions, loadActions, type Actions, type Arguments, type Handler } from "@rehearsal/actions";

interface CartArguments {
  item: number;
  options?: { gift: boolean };
}

interface Own {
  "Open-Cart": { arguments: CartArguments; value: string };
  ping: { value: number };
  note: { arguments: { text: string } };
}

interface Tree {
  name: string;
  children: Tree[];
}

export async function anything(actions: Actions, cart: CartArguments, record: Record<string, unknown>, tree: Tree, maybe: CartArguments | null, args: Arguments, id: string): Promise<void> {
  await actions.perform(id, args);
  await actions.trigger(id, args, undefined);
  await actions.perform(id, maybe);
  await actions.perform(id, undefined);
  await actions.perform("open-cart", cart);
  await actions.perform("open-cart", record);
  await actions.perform("open-cart", tree);
  await actions.perform("open-cart", { cart, list: [record, tree], deep: { cart } });
  await actions.trigger("open-cart", cart, { kind: "push", payload: record });
  await actions.perform("service.user.event", { e: "read", a: cart });
  await actions.perform("service.group", { actions: [["open-cart", cart], ["open-cart", record]] });
  actions.validate("open-cart", cart);
  const pairs: [string, Record<string, unknown>][] = [["open-cart", record]];
  await actions.perform("service.group", { actions: pairs });
  // @ts-expect-error: no item can be a date
  await actions.perform("service.group", { actions: [["open-cart", { at: new Date() }]] });
  // @ts-expect-error: nor a date of an event
  await actions.perform("service.user.event", { e: "read", a: { at: new Date() } });
  // @ts-expect-error: nor a function anywhere
  await actions.perform("open-cart", { deep: [{ f: () => {} }] });
  // @ts-expect-error: a text is no arguments
  await actions.perform("open-cart", "item");
}

export async function own(): Promise<string | undefined> {
  const actions = await loadActions<Own>();
  actions.register("Open-Cart", ({ arguments: { item, options }, perform }) => {
    // @ts-expect-error: its text is missing
    void perform("note", {});
    return `${item.toFixed()} ${options?.gift}`;
  });
  actions.register("open-cart", async ({ arguments: args }) => String(args.item));
  actions.register("else", ({ arguments: args }) => args.whatever);
  const ping: Handler<Own, "ping"> = () => 7;
  actions.register("ping", ping);
  // @ts-expect-error: its value is a number
  actions.register("ping", () => "pong");
  // @ts-expect-error: it has no such argument
  actions.register("note", ({ arguments: args }) => args.txt);

  await actions.perform("ping");
  await actions.perform("else", { txt: 1 });
  await actions.perform("service.group", { actions: [["note", { text: "x" }], ["OPEN-CART", { item: 7 }], ["else", { a: 1 }], ["service.clipboard", { t: "x" }]] });
  // @ts-expect-error: item is a number
  await actions.perform("open-cart", { item: "7" });
  // @ts-expect-error: in any letter case
  await actions.trigger("OPEN-CART", { item: "7" });
  // @ts-expect-error: there is no argument itm
  await actions.trigger("Open-Cart", { item: 7, itm: 7 });
  // @ts-expect-error: item is missing in the group
  await actions.perform("service.group", { actions: [["note", { text: "x" }], ["open-cart", {}]] });
  // @ts-expect-error: t of a built-in is a text in groups as well
  await actions.perform("service.group", { actions: [["service.clipboard", { t: 5 }]] });
  const { value } = await actions.perform("open-cart", { item: 7 });
  return value;
}

export async function early(): Promise<number | undefined> {
  const actions = createActions<Own>();
  actions.register("ping", () => 7);
  // @ts-expect-error: item is a number
  void actions.perform("open-cart", { item: "7" });
  await actions.load();
  const shared: Actions<Own> = actions;
  return actions.loaded ? (await shared.perform("ping")).value : undefined;
}
