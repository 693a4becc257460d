// What happens when the program ends: it is started again, and registrations are kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./support/browser.mjs";
import { nightly } from "./support/level.mjs";

/**
 * Opens a page that has kept hold of every instance's exports, so that a test can make the program panic (a length that does not
 * fit the buffer) or trap, and of what is printed to the console.
 */
async function breakable(given) {
  const page = await given.page();
  page.printed = [];
  page.on("console", (message) => page.printed.push(message.text()));
  await page.evaluate(async () => {
    const { Instance } = WebAssembly;
    window.instances = [];
    WebAssembly.Instance = function (module, imports) {
      const instance = new Instance(module, imports);
      window.instances.push(instance);
      return instance;
    };
    WebAssembly.Instance.prototype = Instance.prototype;
    const { loadActions } = await import("/dist/index.js");
    window.actions = await loadActions({ platform: "ios" });
    window.panic = () => {
      try {
        window.instances.at(-1).exports.perform(1, 1 << 30);
      } catch {
        // in the lite bundle the trap is all that there is
      }
    };
    window.trap = () => window.instances.at(-1).exports.reserve(-1);
  });
  return page;
}

inBrowser("recovering", {}, (given) => {
  for (const way of ["panic", "trap"]) {
    test(`after a ${way} the next perform succeeds, with everything registered`, async () => {
      const page = await breakable(given);
      const seen = await page.evaluate(async (way) => {
        const { actions } = window;
        const texts = [];
        const second = actions.create({ host: { clipboard: { write: (text) => void texts.push(text) } } });
        const kept = actions.register("Kept", ({ arguments: args }) => args.n);
        actions.register("other", () => "other");
        actions.unregister("other");
        second.register("kept", () => "second");
        actions.start();
        const reasons = [];
        actions.on("restarted", ({ reason }) => reasons.push(reason));
        const before = await actions.perform("KEPT", { n: 1 });
        try {
          window[way]();
        } catch {
          // the trap
        }
        const after = await actions.perform("KEPT", { n: 2 });
        return {
          values: [before.value, after.value, (await second.perform("kept")).value],
          list: actions.list(),
          clipboard: (await second.perform("service.clipboard", { t: "x" })).status + texts,
          rating: (await actions.perform("service.rating")).status,
          trigger: (await actions.trigger("kept", { n: 3 }, { kind: "push" })).value,
          instances: window.instances.length,
          restarts: reasons.length,
          removed: kept.unregister(),
          left: actions.list(),
        };
      }, way);
      // A trap that happens outside of any call of the package's leaves a program that still works.
      const restarts = way === "panic" ? 1 : seen.restarts;
      assert.deepEqual(seen, {
        values: [1, 2, "second"],
        list: ["Kept"],
        clipboard: "performedx",
        rating: "unsupported",
        trigger: 3,
        instances: 1 + restarts,
        restarts,
        removed: true,
        left: [],
      });
      assert.deepEqual(page.faults, []);
    });
  }

  test("the perform that died is failed, and says why; so are those around it", async () => {
    const page = await breakable(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      actions.register("dies", () => {
        window.panic();
        return "returned";
      });
      actions.register("outer", async () => (await actions.perform("dies")).status);
      actions.register("fine", () => "fine");
      const direct = await actions.perform("dies");
      const group = await actions.perform("service.group", { actions: [["fine", {}], ["dies", {}], ["fine", {}]] });
      const outer = await actions.perform("outer");
      const trigger = (actions.start(), await actions.trigger("dies", {}, { kind: "push" }));
      return { results: [direct, group, trigger], outer, fine: (await actions.perform("fine")).value };
    });
    for (const { status, message } of seen.results) {
      assert.equal(status, "failed");
      assert.match(message, /^the WebAssembly program ended while this ran: ./);
    }
    assert.equal(seen.outer.status, "failed"); // it began in the program that ended
    assert.equal(seen.fine, "fine");
    assert.match(page.printed.join("\n"), /ended and was started again/);
    assert.deepEqual(page.faults, []);
  });

  test("what waits when the program ends is failed; what is held is delivered after all, once", async () => {
    const page = await breakable(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      const ran = [];
      let finish;
      actions.register("slow", () => new Promise((resolve) => (finish = resolve)));
      actions.register("note", ({ arguments: args, source }) => void ran.push(args.n, source.payload.k));
      const args = { n: 1n << 60n };
      const held = [actions.trigger("note", args, { kind: "push", payload: { k: "v" } }), actions.trigger("note", { n: 2 }, { kind: "push", payload: { k: "w" } })];
      args.n = 0;
      const direct = actions.perform("slow");
      const finishDirect = finish;
      const group = actions.perform("service.group", { actions: [["slow", {}], ["note", {}]] });
      window.panic();
      await actions.perform("nobody");
      finish("too late");
      finishDirect("in time");
      const statuses = [(await group).status, (await direct).value];
      actions.start();
      for (const trigger of held) statuses.push((await trigger).status);
      window.panic();
      await actions.perform("nobody");
      return { statuses, ran: ran.map(String) };
    });
    assert.deepEqual(seen.statuses, ["failed", "in time", "performed", "performed"]);
    assert.deepEqual(seen.ran, [String(1n << 60n), "v", "2", "w"]);
    assert.deepEqual(page.faults, []);
  });

  test("a host that answers after the program has ended is not heard", async () => {
    const page = await breakable(given);
    const status = await page.evaluate(async () => {
      let finish;
      const registry = window.actions.create({ host: { clipboard: { write: () => new Promise((resolve) => (finish = resolve)) } } });
      const waiting = registry.perform("service.clipboard", { t: "x" });
      window.panic();
      registry.list();
      finish();
      return (await waiting).status;
    });
    assert.equal(status, "failed");
    assert.deepEqual(page.faults, []);
  });

  test("a stack that runs full fails one perform, and no more", async () => {
    const page = await breakable(given);
    const seen = await page.evaluate(async () => {
      const { actions } = window;
      actions.register("a", () => "fine");
      const results = [];
      const dive = () => {
        try {
          dive();
        } catch {
          // here the stack is full
        }
        if (results.length < 200) results.push(actions.perform("a"));
      };
      dive();
      const statuses = new Set((await Promise.all(results)).map((result) => result.status));
      await new Promise((resolve) => setTimeout(resolve));
      return { statuses: [...statuses].sort(), after: (await actions.perform("a")).value, list: actions.list() };
    });
    assert.ok(seen.statuses.every((status) => ["failed", "performed"].includes(status)), String(seen.statuses));
    assert.equal(seen.after, "fine");
    assert.deepEqual(seen.list, ["a"]);
    assert.deepEqual(page.faults, []);
  });

  test("it recovers a hundred times, each in a few milliseconds", async () => {
    const page = await breakable(given);
    const { values, instances, time } = await page.evaluate(async () => {
      const { actions } = window;
      actions.register("a", () => 1);
      let values = 0;
      const start = performance.now();
      for (let i = 0; i < 100; i++) {
        window.panic();
        values += (await actions.perform("a")).value;
        await new Promise((resolve) => setTimeout(resolve));
      }
      return { values, instances: window.instances.length, time: (performance.now() - start) / 100 };
    });
    assert.equal(values, 100);
    assert.equal(instances, 101);
    if (nightly) assert.ok(time < 1000, `${time} ms`); // on a change, other work may take the processor
  });
});
