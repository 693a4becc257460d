// The other bundle of the package, and what differs between the toolchains.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { bundle, findLite } from "./support/bundles.mjs";

const require = createRequire(import.meta.url);
const { problem } = findLite();

for (const [way, load] of [
  ["imported", () => import("@rehearsal/actions/standard")],
  ["required", () => require("@rehearsal/actions/standard")],
]) {
  test(`the standard entry performs when it is ${way}`, async () => {
    const { loadActions, ActionsError } = await load();
    const actions = await loadActions();
    actions.register("double", ({ arguments: { n } }) => n * 2);
    assert.deepEqual(await actions.perform("DOUBLE", { n: 2 }), { status: "performed", value: 4 });
    assert.throws(() => actions.register("", () => {}), (error) => error instanceof ActionsError);
    actions.dispose();
  });
}

test("each program is of the toolchain that its bundle names", { skip: problem ?? false }, () => {
  const memory = (name) => WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(require.resolve(name)))).find(({ kind }) => kind === "memory").name;
  const names = { standard: "mem", lite: "memory" };
  assert.deepEqual([memory("@rehearsal/actions/actions.wasm"), memory("@rehearsal/actions/standard/actions.wasm")], [names[bundle], names.standard]);
});

test("handlers perform in each other as deep as they may, with arguments as deep as they may be", async (t) => {
  const { createActions } = await import("@rehearsal/actions");
  const told = t.mock.method(console, "error", () => {});
  const deep = (levels) => (levels ? { d: deep(levels - 1) } : {});
  const actions = createActions();
  let reached = 0;
  actions.register("group", ({ perform, arguments: args }) => {
    reached++;
    return perform("service.group", { actions: [["group", args]] });
  });
  actions.start();
  const { status } = await actions.trigger("group", deep(124), { kind: "push", payload: deep(124) });
  assert.equal(status, "performed");
  assert.ok(reached > 5, String(reached));
  assert.deepEqual(told.mock.calls, []);
  actions.dispose();
});
