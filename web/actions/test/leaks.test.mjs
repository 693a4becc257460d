// What is performed leaves nothing behind, whichever way it goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { count } from "./support/level.mjs";

const warm = count(1000, 1000, 10_000);
const times = count(1000, 3000, 10_000); // which finds what leaves 400 bytes behind, and 120 at night

inBrowser("leaks", { args: ["--js-flags=--expose-gc"] }, (given) => {
  /** Kinds of work, each done a number of times. */
  const kinds = {
    "a registered action": (actions, i) => actions.perform("echo", { i, text: "some text" }),
    "a new spelling each time": (actions, i) => actions.perform("unknown-" + i),
    "an asynchronous action": (actions, i) => actions.perform("slow", { i }),
    "an action that fails": (actions, i) => actions.perform("fails", { i }),
    "a group": (actions, i) => actions.perform("service.group", { actions: [["echo", { i }], ["slow", {}], ["fails", {}]] }),
    "a group of items that never run": (actions, i) => {
      actions.register("passing", () => void actions.unregister("passing"));
      return actions.perform("service.group", { actions: [["passing", { i }], ["passing", { i, text: "x".repeat(100) }]] });
    },
    "a built-in": (actions, i) => actions.perform("service.clipboard", { t: "text " + i }),
    "a built-in that waits": (actions, i) => actions.perform("service.user.tag", { a: "add", c: "c", t: "t" + i }),
    "a trigger": (actions, i) => actions.trigger("echo", { i }, { kind: "push", payload: { i } }),
    "a canceled group": async (actions, i) => {
      const controller = new AbortController();
      const result = actions.perform("service.group", { actions: [["slow", { i }], ["echo", {}]] }, { signal: controller.signal });
      controller.abort();
      return result;
    },
    "registering and unregistering": (actions, i) => {
      actions.register("passing-" + i, () => {}).unregister();
      actions.register("replaced", () => {});
    },
    "validate, capability and list": (actions, i) => {
      actions.validate("service.user.event", { e: "x", a: { i } });
      actions.capability("service.smart_reoptin");
      actions.list();
    },
    "a registry of its own": (actions, i) => {
      const registry = actions.create({ host: { clipboard: { write() {} } } });
      registry.register("a" + (i % 10), () => {});
      registry.dispose();
    },
  };

  for (const [name, work] of Object.entries(kinds)) {
    test(`${times.toLocaleString("en")} times ${name}`, async () => {
      const page = await given.page();
      const { before, after, slots } = await page.evaluate(
        async ([code, warm, times]) => {
          const work = (0, eval)(code);
          const { Instance } = await import("/page/instances.js");
          const { loadActions } = await import("/dist/index.js");
          const loaded = await loadActions();
          const host = { clipboard: { write() {} }, userData: { addTag: async () => {} }, notifications: { status: () => "denied" } };
          const actions = loaded.create({ host, platform: "ios" });
          actions.start();
          actions.register("echo", ({ arguments: args }) => args);
          actions.register("slow", async ({ arguments: args }) => args);
          actions.register("fails", () => {
            throw new Error("failed on purpose");
          });
          const many = async (times) => {
            for (let i = 0; i < times; i++) await work(actions, i);
          };
          const look = async () => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            gc();
            gc();
            const { mem, memory = mem } = Instance.last.exports; // TinyGo has another name for it
            return performance.memory.usedJSHeapSize + memory.buffer.byteLength;
          };
          // The program's memory grows until its garbage collector has found its pace.
          for (let i = 0; i < 3; i++) {
            await many(warm);
            await look();
          }
          // A collector that takes one more step is no leak, which grows every time.
          let before = await look();
          let after;
          for (let i = 0; i < 3; i++) {
            before = after ?? before;
            await many(times);
            after = await look();
            if (after < before * 1.1 + 300_000) break;
          }
          return { before, after, slots: actions.list().length };
        },
        [`(${work})`, warm, times],
      );
      assert.ok(after < before * 1.1 + 300_000, `${before} bytes became ${after}`);
      assert.ok(slots <= 4);
      assert.deepEqual(page.faults, []);
    });
  }
});
