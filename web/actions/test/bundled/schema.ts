// Own actions whose arguments are declared by JSON Schemas. It is only type-checked, never run.
import { createActions } from "@rehearsal/actions";
import type { FromSchema } from "json-schema-to-ts";

const openCart = {
  type: "object",
  properties: { item: { type: "integer" }, note: { type: ["string", "null"] }, size: { enum: ["S", "M"] } },
  required: ["item"],
  additionalProperties: false,
} as const;

interface Own {
  "open-cart": { arguments: FromSchema<typeof openCart>; value: string };
}

export const actions = createActions<Own>();

actions.register("open-cart", ({ arguments: { item, note } }) => `${item.toFixed()} ${note?.trim()}`);
// @ts-expect-error: it has no such argument
actions.register("open-cart", ({ arguments: { itm } }) => String(itm));
// @ts-expect-error: the value is a text
actions.register("Open-Cart", ({ arguments: { item } }) => item);

void actions.perform("open-cart", { item: 7, size: "M" });
void actions.trigger("open-cart", { item: 7, note: null }, { kind: "push" });
// @ts-expect-error: item is missing
void actions.perform("open-cart", { note: "x" });
// @ts-expect-error: there is no such size
void actions.perform("OPEN-CART", { item: 7, size: "L" });
// @ts-expect-error: item is a number, in groups as well
void actions.perform("service.group", { actions: [["open-cart", { item: "7" }]] });
