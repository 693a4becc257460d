// Registering and performing: what JavaScript adds to the rules that the vectors state.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inBrowser } from "./support/browser.mjs";

inBrowser("performing", {}, (given) => {
  let page;
  before(async () => {
    page = await given.page();
    await page.evaluate(async () => {
      const { loadActions, ...rest } = await import("/dist/index.js");
      Object.assign(window, { actions: await loadActions(), ...rest });
    });
  });
  after(() => {
    assert.deepEqual(page.faults, []);
  });

  /** Runs code in the page with a registry of its own. */
  const inPage = (code, arg) =>
    page.evaluate(`(async (actions, arg) => (${code})(actions, arg))(window.actions.create(), ${JSON.stringify(arg) ?? "undefined"})`);

  test("whatever a handler throws or rejects with is failed, with a text, and is kept as it is", async () => {
    const seen = await inPage(async (actions) => {
      const revoked = Proxy.revocable({}, {});
      revoked.revoke();
      const frame = document.createElement("iframe");
      document.body.append(frame);
      const hostile = {
        get message() {
          throw new Error("no");
        },
      };
      const things = {
        error: new TypeError("an error"),
        text: "a text",
        empty: "",
        null: null,
        undefined: undefined,
        number: 7,
        bigint: 2n ** 70n,
        symbol: Symbol("s"),
        frozen: Object.freeze({ a: 1 }),
        bare: Object.create(null),
        function: () => {},
        proxy: revoked.proxy,
        hostile,
        elsewhere: new frame.contentWindow.Error("from another frame"),
        surrogate: new Error("half \ud800 a pair"),
        abort: new DOMException("aborted", "AbortError"),
        named: { name: "Oddity" },
      };
      const seen = {};
      for (const [name, thing] of Object.entries(things)) {
        actions.register("throws", () => {
          throw thing;
        });
        actions.register("rejects", () => Promise.reject(thing));
        const group = await actions.perform("service.group", { actions: [["throws", {}], ["rejects", {}]] });
        const results = [await actions.perform("throws"), await actions.perform("rejects"), ...group.items];
        seen[name] = {
          statuses: new Set(results.map((r) => r.status)).size === 1 && results[0].status,
          messages: [...new Set(results.map((r) => r.message))],
          same: results.every((r) => Object.hasOwn(r, "cause") && Object.is(r.cause, thing)),
        };
      }
      return seen;
    });
    const messages = {
      error: "an error",
      text: "a text",
      empty: "threw an empty text",
      null: "threw null",
      undefined: "threw undefined",
      number: "threw 7",
      bigint: "threw 1180591620717411303424",
      symbol: "threw Symbol(s)",
      frozen: "threw an object without a message",
      bare: "threw an object without a message",
      function: null,
      proxy: "threw an object that cannot be read",
      hostile: "threw an object that cannot be read",
      elsewhere: "from another frame",
      surrogate: "half \ufffd a pair",
      abort: "aborted",
      named: "threw Oddity",
    };
    for (const [name, { statuses, messages: found, same }] of Object.entries(seen)) {
      assert.equal(statuses, "failed", name);
      assert.equal(found.length, 1, `${name}: ${found}`);
      assert.ok(found[0].length > 0, name);
      if (messages[name] !== null) assert.equal(found[0], messages[name], name);
      assert.equal(same, true, name);
    }
  });

  test("methods need no this: those of an invocation, a registry and a registration", async () => {
    const seen = await inPage(async (actions) => {
      const { register, unregister, perform, trigger, validate, capability, list, start, on, setHost, create, dispose } = actions;
      const heard = [];
      const off = on("performed", ({ identifier, result }) => heard.push(`${identifier} ${result.status}`));
      register("other", ({ arguments: args }) => args.n);
      const { unregister: remove } = register("taken", async ({ perform }) => {
        await null;
        return (await perform("other", { n: 7 })).value;
      });
      register("endless", ({ perform }) => perform("endless"));
      start();
      const endless = await perform("endless");
      let innermost = endless;
      while (innermost.value) innermost = innermost.value;
      const seen = {
        taken: (await perform("taken")).value,
        grouped: (await perform("service.group", { actions: [["taken", {}]] })).items[0].value,
        triggered: (await trigger("other", { n: 8 }, { kind: "push" })).value,
        depth: innermost.message,
        valid: validate("service.clipboard", { t: "x" }).ok,
        capability: capability("service.clipboard").state,
        removed: [remove(), unregister("OTHER"), unregister("other")],
        list: list(),
      };
      off();
      setHost({ clipboard: { write: () => {} } });
      seen.written = (await perform("service.clipboard", { t: "x" })).status;
      seen.second = create().list();
      dispose();
      seen.after = (await perform("taken")).message;
      return { ...seen, heard: heard.length > 3 };
    });
    assert.match(seen.depth, /16/);
    delete seen.depth;
    assert.deepEqual(seen, {
      taken: 7,
      grouped: 7,
      triggered: 8,
      valid: true,
      capability: "unsupported",
      removed: [true, true, false],
      list: ["endless"],
      written: "performed",
      second: [],
      after: "the registry was disposed of",
      heard: true,
    });
  });

  test("members keep their order, on every path and every time", async () => {
    const seen = await inPage(async (actions) => {
      const names = ["ghost", "b", "h", "a", "", "\u0000", "\u0000\u0000z", "ü", "F", "🎭", "c\u0000", "a/b", "__proto__x", "9", "d"];
      const made = (depth) => Object.fromEntries(names.map((name, i) => [name, depth ? [made(depth - 1), i] : i]));
      const args = made(2);
      const payload = { z: 1, y: { x: 1, a: 2 }, b: 3 };
      const expected = JSON.stringify(args);
      let source;
      actions.register("keys", ({ arguments: args, source: from }) => ((source = from), JSON.stringify(args)));
      actions.register("inside", async ({ perform, arguments: args }) => (await null, (await perform("keys", args)).value));
      actions.register("throws", () => {
        throw new Error("no");
      });
      const sent = [];
      actions.setHost({ userData: { addTag() {}, removeTag() {}, sendEvent: (event) => sent.push(Object.keys(event).join(), JSON.stringify(event.data)) } });
      const held = actions.trigger("keys", args, { kind: "push", payload });
      actions.start();
      const wrong = [];
      const same = (path, found, wanted) => found === wanted || wrong.push([path, found]);
      for (let i = 0; i < 20; i++) {
        const { signal } = new AbortController();
        same("perform", (await actions.perform("keys", args)).value, expected);
        same("signal", (await actions.perform("keys", args, { signal })).value, expected);
        same("inside", (await actions.perform("inside", args)).value, expected);
        same("trigger", (await actions.trigger("keys", args, { payload, kind: "push" })).value, expected);
        same("source", JSON.stringify(source), JSON.stringify({ kind: "push", payload }));
        const big = { z: 2n ** 60n, b: 1, a: "half \ud800" };
        actions.register("names", ({ arguments: args }) => Object.keys(args).join());
        same("bigint", (await actions.perform("names", big)).value, "z,b,a");
        const group = await actions.perform("service.group", { more: 1, actions: [["keys", args], ["throws", {}], ["nobody", {}]], also: 2 });
        same("group", group.items[0].value, expected);
        same("results", JSON.stringify([group, ...group.items].map((r) => Object.keys(r).join())), JSON.stringify(["status,message,items", "status,value", "status,message,cause", "status,message"]));
        same("problems", Object.keys(actions.validate("service.clipboard", {}).problems[0]).join(), "pointer,status,message");
        await actions.perform("service.user.event", { t: [], e: "read", a: args });
      }
      same("held", (await held).value, expected);
      same("events", sent.length, 40);
      for (let i = 1; i < sent.length; i += 2) same("event", sent[i], expected);
      same("one order of events", new Set(sent.filter((_, i) => i % 2 === 0)).size, 1);
      return wrong.slice(0, 3);
    });
    assert.deepEqual(seen, []);
  });

  test("what a handler returns is the value, as it is", async () => {
    const same = await inPage(async (actions) => {
      const things = [new Map(), document.body, () => {}, Symbol("s"), 5n, null, NaN, "text", Object.freeze([]), new Proxy({}, {})];
      const odd = { then: 5 };
      const wrong = [];
      for (const thing of [...things, odd]) {
        actions.register("gives", () => thing);
        actions.register("promises", async () => thing);
        const group = await actions.perform("service.group", { actions: [["gives", {}], ["promises", {}]] });
        for (const result of [await actions.perform("gives"), await actions.perform("promises"), ...group.items]) {
          if (result.status !== "performed" || !Object.is(result.value, thing)) wrong.push([String(thing), result]);
        }
      }
      return wrong;
    });
    assert.deepEqual(same, []);
  });

  test("promises of any kind are awaited", async () => {
    const seen = await inPage(async (actions) => {
      const kinds = {
        native: () => Promise.resolve("native"),
        thenable: () => ({ then: (resolve) => setTimeout(resolve, 0, "thenable") }),
        twice: () => ({ then: (resolve, reject) => (resolve("twice"), reject("no"), resolve("never")) }),
        throwing: () => ({
          then() {
            throw "thrown by then";
          },
        }),
        getter: () => ({
          get then() {
            throw "thrown by the getter";
          },
        }),
        nested: async () => ({ then: (resolve) => resolve(Promise.resolve("nested")) }),
      };
      const seen = {};
      for (const [name, handler] of Object.entries(kinds)) {
        actions.register(name, handler);
        const { items } = await actions.perform("service.group", { actions: [[name, {}]] });
        const results = [await actions.perform(name), items[0]].map(({ status, value, message }) => `${status} ${value ?? message}`);
        seen[name] = [...new Set(results)];
      }
      return seen;
    });
    assert.deepEqual(seen, {
      native: ["performed native"],
      thenable: ["performed thenable"],
      twice: ["performed twice"],
      throwing: ["failed thrown by then"],
      getter: ["failed thrown by the getter"],
      nested: ["performed nested"],
    });
  });

  test("whole numbers are exact to 64 bits: numbers where a number holds them, bigints above", async () => {
    const wrong = await inPage(async (actions) => {
      let given;
      actions.register("n", ({ arguments: args }) => void (given = args.n));
      const cases = [
        [0, 0], [-0, -0], [1, 1], [1n, 1], [-1n, -1], [1.5, 1.5], [2 ** 53 - 1, 2 ** 53 - 1], [BigInt(2 ** 53 - 1), 2 ** 53 - 1],
        [2n ** 53n, 2n ** 53n], [2n ** 53n + 1n, 2n ** 53n + 1n], [-(2n ** 53n) - 1n, -(2n ** 53n) - 1n], [2n ** 63n - 1n, 2n ** 63n - 1n],
        [-(2n ** 63n), -(2n ** 63n)], [2n ** 63n, 2n ** 63n], [2n ** 64n - 1n, 2n ** 64n - 1n], [2 ** 53, 2 ** 53], [2 ** 70, 2 ** 70],
        [1e300, 1e300], [NaN, NaN], [Infinity, Infinity], [5e-324, 5e-324], [-2147483649, -2147483649], [4294967296, 4294967296],
      ];
      const wrong = [];
      for (const [n, expected] of cases) {
        for (const perform of [() => actions.perform("n", { n }), () => actions.perform("service.group", { actions: [["n", { n }]] })]) {
          given = "nothing";
          const { status } = await perform();
          if (status !== "performed" || !Object.is(given, expected)) wrong.push(`${typeof n} ${n}: ${status}, ${typeof given} ${given}`);
        }
      }
      for (const n of [2n ** 64n, -(2n ** 63n) - 1n]) {
        const { status } = await actions.perform("n", { n });
        if (status !== "invalid_arguments") wrong.push(`${n}: ${status}`);
      }
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test("arguments are copied, and are the same on the short way, in a group and in a trigger", async () => {
    const wrong = await inPage(async (actions) => {
      actions.start();
      const given = [];
      actions.register("look", ({ arguments: args }) => void given.push(args));
      const other = document.createElement("iframe");
      document.body.append(other);
      const proto = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
      const values = [
        undefined, null, {}, { a: undefined, b: [undefined, null] }, { a: "half \ud800", "\udc00": ["\ud800"] }, proto,
        { deep: { list: [[[{ x: "y" }]], true, false, null, "", -1.25] } }, Object.assign(Object.create(null), { bare: 1 }),
        new other.contentWindow.Object(), { list: new other.contentWindow.Array(1, 2) }, { [Symbol("hidden")]: 1, shown: 1 },
        { get computed() { return 5; } }, new Proxy({ a: 1 }, {}), { holes: [1, , 3] }, { "": "", " ": " " },
      ];
      const show = (v) => JSON.stringify(v, (_, x) => (x && typeof x === "object" && !Array.isArray(x) ? Object.entries(x).sort() : x));
      const wrong = [];
      for (const value of values) {
        given.length = 0;
        await actions.perform("look", value);
        await actions.trigger("look", value, { kind: "push" });
        await actions.perform("service.group", { actions: [["look", value ?? {}]] });
        if (given.length !== 3 || new Set(given.map(show)).size !== 1) wrong.push(given.map(show).join(" | "));
        if (given.some((args) => args === value || args.polluted)) wrong.push("not a copy: " + show(value));
      }
      given.length = 0;
      const args = { list: [1, { a: 1 }] };
      actions.register("later", async ({ arguments: a }) => (await null, given.push(JSON.stringify(a)), (a.list.length = 0)));
      const running = actions.perform("later", args);
      args.list[1].a = 2;
      args.list.push(3);
      await running;
      if (given[0] !== '{"list":[1,{"a":1}]}' || args.list.length !== 3) wrong.push("a change was seen: " + given[0]);
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test("what stays on the page while a group runs is given to each item as its own", async () => {
    const seen = await inPage(async (actions) => {
      const seen = [];
      const note = ({ arguments: args, source }) => {
        seen.push([args.list.length, source.payload?.list.length]);
        args.list.push("changed");
        if (source.payload) source.payload.list.push("changed");
        shared.list.push("changed by the caller");
      };
      const shared = { list: [1] };
      actions.register("Note-It", note);
      actions.register("later", async (invocation) => note(invocation));
      actions.register("remove", () => void actions.unregister("gone"));
      actions.register("gone", note);
      actions.start();
      const items = [["note-it", shared], ["NOTE-IT", shared], ["later", shared], ["remove", {}], ["gone", shared], ["service.dismiss", shared]];
      const group = { actions: items };
      const results = [await actions.perform("service.group", group), await actions.trigger("service.group", { actions: items.slice(0, 3) }, { kind: "push", payload: shared })];
      return { seen, statuses: results.map(({ items }) => items.map(({ status }) => status)), shared: shared.list.length };
    });
    assert.deepEqual(seen.statuses, [
      ["performed", "performed", "performed", "performed", "not_found", "unsupported"],
      ["performed", "performed", "performed"],
    ]);
    assert.deepEqual(seen.seen, [[1, undefined], [1, undefined], [1, undefined], [4, 4], [4, 4], [4, 4]]);
    assert.equal(seen.shared, 7);
  });

  test("messages speak of no other language than the page's", async () => {
    const page = await given.page();
    const messages = await page.evaluate(async () => {
      const { loadActions } = await import("/dist/index.js");
      const actions = await loadActions();
      actions.register("own", () => {});
      const message = async (...call) => (await actions.perform(...call)).message;
      let refused = "";
      try {
        actions.register("ab");
      } catch (error) {
        refused = error.message;
      }
      return [
        await message("own", { d: new Date() }), refused,
        await message("service.clipbord", { t: "x" }), await message("service.clipboard", { text: "x" }),
      ];
    });
    assert.deepEqual(messages, [
      'the value at "/d" of the arguments is of a type that is not allowed: allowed are null, booleans, numbers of up to 64 bits, texts, lists and objects',
      'the action "ab" has no handler: it needs the code that it runs',
      'there is no built-in action "service.clipbord", the nearest is "service.clipboard"',
      'service.clipboard: argument "t" is missing, a string is required, given were "text"',
    ]);
  });

  test("values that cannot be arguments are invalid_arguments, wherever they are, and nothing runs", async () => {
    const wrong = await inPage(async (actions) => {
      let ran = 0;
      actions.start();
      actions.register("a", () => ran++);
      const circle = {};
      circle.self = circle;
      const wide = {};
      Object.assign(wide, { a: wide, b: wide, c: [wide, wide] });
      const revoked = Proxy.revocable({}, {});
      revoked.revoke();
      const deep = (n) => (n ? { d: deep(n - 1) } : {});
      class Thing {}
      const values = {
        "a function": { f() {} }, "a symbol": { s: Symbol("s") }, "a date": { d: new Date() }, "a map": { m: new Map() }, "an instance": { t: new Thing() },
        "an error": { e: new Error("x") }, "bytes": { b: new Uint8Array(1) }, "an object of a text": { s: new String("x") }, "a circle": circle, "many circles": wide,
        "a revoked proxy": { p: revoked.proxy }, "a getter that throws": { get x() { throw 1; } }, "too deep": deep(129), "in a list": { l: [[() => {}]] },
        "a text": "text", "a list": [], "a number": 5, "a date as arguments": new Date(), "a revoked proxy as arguments": revoked.proxy,
        "two names that become one": { "\ud800": 1, "\udc00": 2 }, "a name that becomes another": { "\ud800": 1, "\ufffd": 2 },
      };
      const wrong = [];
      for (const [name, value] of Object.entries(values)) {
        for (const result of [await actions.perform("a", value), await actions.perform("service.dismiss", value)]) {
          if (result.status !== "invalid_arguments" || !result.message) wrong.push(`${name}: ${JSON.stringify(result)}`);
        }
        const { ok, problems } = actions.validate("a", value);
        if (ok || problems[0].status !== "invalid_arguments") wrong.push(`${name}: validate says ${JSON.stringify(problems)}`);
      }
      for (const payload of ["text", 5, [], new Date(), () => {}, { f() {} }]) {
        const { status } = await actions.trigger("a", {}, { kind: "push", payload });
        if (status !== "invalid_arguments") wrong.push(`payload ${String(payload)}: ${status}`);
      }
      if ((await actions.perform("a", deep(127))).status !== "performed") wrong.push("128 levels are refused");
      if (ran !== 1) wrong.push(`it ran ${ran} times`);
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test("a spelling that was performed finds what is registered now, not what was", async () => {
    const seen = await inPage(async (actions) => {
      const seen = [];
      const say = (what) => () => void seen.push(what);
      const first = actions.register("a", say("a1"));
      for (let i = 0; i < 3; i++) await actions.perform("A");
      actions.register("b", say("b1"));
      await actions.perform("A");
      first.unregister();
      actions.register("c", say("c1")); // takes the slot of a
      seen.push((await actions.perform("A")).status);
      actions.register("a", say("a2"));
      await actions.perform("A");
      actions.register("A", say("a3"));
      await actions.perform("A");
      actions.register("d", () => {
        actions.unregister("d");
        actions.register("e", say("e1")); // takes the slot of d while d runs
      });
      await actions.perform("d");
      seen.push((await actions.perform("d")).status);
      return seen;
    });
    assert.deepEqual(seen, ["a1", "a1", "a1", "a1", "not_found", "a2", "a3", "not_found"]);
  });

  test("actions that perform each other for ever fail, at once or awaited, performed or triggered", async () => {
    const seen = await inPage(async (actions) => {
      actions.start();
      const seen = {};
      const ways = {
        "perform at once": (invocation) => actions.perform("round"),
        "perform inside": (invocation) => invocation.perform("round"),
        "perform inside, later": async (invocation) => (await null, invocation.perform("round")),
        trigger: () => actions.trigger("round", {}, { kind: "push" }),
        group: () => actions.perform("service.group", { actions: [["round", {}]] }),
      };
      for (const [name, way] of Object.entries(ways)) {
        let calls = 0;
        actions.register("round", async (invocation) => {
          calls++;
          const result = await way(invocation);
          if (result.status !== "performed") throw result.message ?? result.items[0].message;
        });
        const { status, message } = await actions.perform("round");
        seen[name] = [status, calls <= 17, /items|nested/.test(message)];
      }
      return seen;
    });
    for (const [name, found] of Object.entries(seen)) {
      assert.deepEqual(found, ["failed", true, true], name);
    }
  });

  test("a text whose characters are the bytes of another one is not taken for it", async () => {
    const texts = ["My shareâ\u0082¬s", "My share€s", "My shareâ\u0082¬s"];
    const written = await inPage(async (first, texts) => {
      const written = [];
      const actions = first.create({ host: { clipboard: { write: (text) => void written.push(text) } } });
      actions.start();
      for (const t of texts) await actions.trigger("service.clipboard", { t }, { kind: "push" });
      for (const t of texts) await actions.perform("service.group", { actions: [["service.clipboard", { t }]] });
      return written;
    }, texts);
    assert.deepEqual(written, [...texts, ...texts]);
  });

  test("two registries share nothing but the program", async () => {
    const seen = await inPage(async (first) => {
      const texts = [];
      const second = first.create({ host: { clipboard: { write: (text) => void texts.push(text) } }, platform: "ios", version: "9.0" });
      first.register("a", () => "first");
      second.register("a", () => "second");
      const performed = [(await first.perform("a")).value, (await second.perform("A")).value];
      second.unregister("a");
      const result = [
        ...performed,
        first.list().join(),
        second.list().join(),
        (await first.perform("service.clipboard", { t: "x" })).status,
        (await second.perform("service.clipboard", { t: "y" })).status,
        texts.join(),
        (await second.perform("service.rating")).status,
      ];
      second.setHost({});
      result.push((await second.perform("service.clipboard", { t: "z" })).status);
      second.dispose();
      second.dispose();
      result.push((await second.perform("a")).status);
      try {
        second.list();
      } catch (error) {
        result.push(error.code);
      }
      result.push((await first.perform("a")).value);
      return result;
    });
    const expected = ["first", "second", "a", "", "unsupported", "performed", "y", "unsupported", "unsupported", "failed", "disposed", "first"];
    assert.deepEqual(seen, expected);
  });

  test("an abort signal cancels, and a group begins no further item", async () => {
    const seen = await inPage(async (actions) => {
      const seen = [];
      let finish;
      actions.register("slow", () => new Promise((resolve) => (finish = resolve)));
      actions.register("next", () => void seen.push("next ran"));
      const controller = new AbortController();
      const { signal } = controller;
      const one = actions.perform("slow", {}, { signal });
      const group = actions.perform("service.group", { actions: [["next", {}], ["slow", {}], ["next", {}]] }, { signal });
      const held = actions.trigger("next", {}, { kind: "push" }, { signal });
      controller.abort();
      finish("too late");
      const status = (r) => [r.status, ...(r.items?.map((item) => item.status) ?? [])].join(" ");
      seen.push(...(await Promise.all([one, group, held])).map(status));
      seen.push((await actions.perform("next", {}, { signal })).status);
      actions.start();
      return seen;
    });
    assert.deepEqual(seen, ["next ran", "canceled", "canceled performed canceled canceled", "canceled", "canceled"]);
  });

  test("listeners are told what happens, and what they throw disturbs nobody", async () => {
    const seen = await inPage(async (actions) => {
      const seen = [];
      const errors = [];
      const onError = (event) => (event.preventDefault(), errors.push(event.error.message));
      window.addEventListener("error", onError);
      const offs = ["registered", "unregistered", "performing", "performed"].map((name) =>
        actions.on(name, ({ identifier, source, result }) => seen.push([name, identifier, source?.kind, result?.status].filter(Boolean).join(" "))),
      );
      actions.on("performing", () => {
        throw new Error("a listener's own fault");
      });
      actions.start();
      actions.register("A", () => {});
      await actions.perform("a");
      await actions.trigger("a", {}, { kind: "push", payload: {} });
      await actions.perform("nobody");
      actions.unregister("a");
      offs.forEach((off) => off());
      await actions.perform("a");
      window.removeEventListener("error", onError);
      return [...seen, errors.length];
    });
    const expected = ["registered A", "performing a manual", "performed a manual performed", "performing a push", "performed a push performed"];
    assert.deepEqual(seen, [...expected, "performing nobody manual", "performed nobody manual not_found", "unregistered A", 4]);
  });
});
