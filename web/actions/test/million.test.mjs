// A million performs, in every way that they go, leave the memory as it was: of the program, and of what runs it. On a change, a tenth.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { count } from "./support/level.mjs";

const { Instance } = WebAssembly;
const made = [];
WebAssembly.Instance = function (...given) {
  made.push(new Instance(...given));
  return made.at(-1);
};
WebAssembly.Instance.prototype = Instance.prototype;
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

const push = { kind: "push", payload: { n: 1 } };

/** With how each ends. Numbers of more than 53 bits are for the core to read, and so is everything of built-ins. */
const ways = [
  ["performed", (actions, i) => actions.perform("open-cart", { item: i, name: "a name" })],
  ["performed", (actions) => actions.perform("Open-Cart")],
  ["performed", (actions, i) => actions.perform("open-cart", { item: 2n ** 60n + BigInt(i) })],
  ["performed", (actions, i) => actions.trigger("open-cart", { item: i }, push)],
  ["performed", (actions, i) => actions.perform("service.clipboard", { t: "text " + i })],
  ["not_found", (actions, i) => actions.perform("nobody-" + i)],
];

const times = count(10_000, 100_000, 1_000_000);

test(`${times.toLocaleString("en")} performs leave the memory as it was`, async () => {
  const { createActions } = await import("@rehearsal/actions");
  const actions = createActions({ host: { clipboard: { write() {} } } });
  actions.register("open-cart", ({ arguments: args }) => args);
  actions.start();
  await actions.load();
  const ends = {};
  let next = 0;
  async function perform(times) {
    for (const end = next + times; next < end; next++) {
      const [expected, way] = ways[next % ways.length];
      const result = way(actions, next);
      if (next % 100 < ways.length) {
        const { status } = await result;
        ends[status === expected] = (ends[status === expected] ?? 0) + 1;
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    gc();
    const { mem, memory = mem } = made.at(-1).exports; // TinyGo has another name for it
    return { program: memory.buffer.byteLength, heap: process.memoryUsage().heapUsed };
  }
  const before = await perform(times / 4); // until the collectors have found their pace
  const after = await perform(times);
  assert.equal(made.length, 1, "the program was not restarted");
  assert.deepEqual(Object.keys(ends), ["true"]);
  assert.equal(after.program, before.program);
  assert.ok(after.heap < before.heap * 1.1 + 300_000, `${before.heap} bytes became ${after.heap}`);
});
