// Handlers that a person writes on the page: what they can do, what they cannot reach, and what completes them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { chooseHost, eventually, happened, press, register, result, showPane } from "./support/person.mjs";

/** Registers an action and writes its handler. */
const write = register;

/** Writes a handler, performs it on the phone, and gives what came of it. */
async function outcome(page, source, state = "performed") {
  await write(page, "own", source);
  await press(page, "phone");
  return result(page, state);
}

onPage("handlers written on the page", (given) => {
  test("are given what the types say, and give a value back", async () => {
    const page = await given.open();
    await write(page, "Open-Basket", "({ identifier, arguments: args, source }) => {\n  console.log('seen', args);\n  return [identifier, source.kind, args.greeting];\n}");
    for (const host of ["phone", "browser"]) {
      await press(page, host);
      await eventually(async () => assert.equal((await result(page, "performed")).host, host));
      assert.equal((await result(page)).value, '["Open-Basket", "manual", "hello"]');
      await chooseHost(page, host);
      await eventually(async () => assert.equal((await happened(page, host))[0], 'seen {"greeting":"hello"}'));
    }
  });

  test("perform other actions, and a chain of them ends", async () => {
    const page = await given.open();
    const { value } = await outcome(page, 'async ({ perform }) => (await perform("service.clipboard", { t: "from a handler" })).status;');
    assert.equal(value, '"performed"');
    await page.locator(".pasteboard", { hasText: "from a handler" }).waitFor();
    const chain = await outcome(page, 'async (call) => { const inner = await call.perform("own"); return inner.message ?? inner.value; }');
    assert.match(chain.value, /nested|deep|inside/i);
    const both = 'async ({ perform }) => { const [, { message, value }] = await Promise.all([perform("own"), perform("own")]); return message ?? value; }';
    assert.match((await outcome(page, both)).value, /more than 1000 actions/);
  });

  const nothing = {
    "the network": 'async () => { try { await fetch("/_mock/health"); return "reached"; } catch (error) { return error.name; } }',
    "another server": 'async () => { try { await fetch("https://example.com/"); return "reached"; } catch (error) { return error.name; } }',
    "code of others": 'async () => { try { importScripts("https://example.com/x.js"); return "reached"; } catch (error) { return error.name; } }',
    "data of the page": "() => { try { indexedDB.open('x'); return 'reached'; } catch (error) { return error.name; } }",
    "the page": "() => (typeof window === 'undefined' && typeof document === 'undefined' && typeof localStorage === 'undefined' && self.origin === 'null' ? 'TypeError' : 'reached')",
    "a compiler": "() => { try { return new Function('return \"reached\"')(); } catch (error) { return error.name; } }",
  };
  for (const [what, source] of Object.entries(nothing))
    test(`do not reach ${what}`, async () => {
      const page = await given.open();
      const { value } = await outcome(page, source);
      assert.match(value, /Error"$/);
      page.faults = page.faults.filter((fault) => !/Content Security Policy|violates the following/.test(fault) && !/^request: https:\/\/example/.test(fault));
    });

  test("say what is wrong with them, and where", async () => {
    const page = await given.open();
    assert.match((await outcome(page, "() => {\n  return 1 +;\n}", "failed")).message, /SyntaxError.*\(line 2 of the handler\)/);
    await page.locator("#handler .cm-lintRange-error").first().waitFor();
    assert.match((await outcome(page, "5", "failed")).message, /the handler is not a function/);
    assert.match((await outcome(page, "() => nobody.knows", "failed")).message, /ReferenceError: nobody is not defined/);
    assert.match((await outcome(page, "() => () => 1", "failed")).message, /could not be cloned/);
  });

  test("are stopped when they do not end, and the page goes on", async () => {
    const page = await given.open();
    await write(page, "own", "() => { for (;;) {} }");
    await press(page, "phone");
    await showPane(page, "Arguments"); // the page answers while the handler runs
    assert.match((await result(page, "failed")).message, /had not ended after 10 seconds/);
    assert.match((await outcome(page, "() => { for (;;) console.log('again'); }", "failed")).message, /logged or performed more than 1000 times/);
  });

  test("travel in a link, which runs nothing", async () => {
    const page = await given.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await write(page, "linked", "() => 'from a link'");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await given.open({ hash: new URL(link).hash });
    await eventually(async () => assert.equal(await other.getByLabel("Identifier").inputValue(), "linked"));
    assert.equal(await other.locator(".log > .entry").count(), 0);
    assert.equal(await other.locator("iframe").count(), 0); // nothing can have run
    await press(other, "phone");
    assert.equal((await result(other, "performed")).value, '"from a link"');
  });

  const offers = (page) => page.locator("#handler .cm-tooltip-autocomplete .cm-completionLabel").allInnerTexts();
  for (const [where, typed, expected] of [
    ["the parameter", "({ ", ["arguments", "identifier", "perform", "source"]],
    ["an invocation", "(call) => call.", ["arguments", "identifier", "perform", "source"]],
    ["a source", "({ source }) => source.", ["kind", "payload"]],
    ["a result", 'async (call) => {\n  const done = await call.perform("x");\n  done.', ["cause", "items", "message", "status", "value"]],
    ["an identifier", '({ perform }) => perform("', ['"own"', '"service.clipboard"', '"service.tracking_consent"']],
    ["arguments of a built-in", '({ perform }) => perform("service.deeplink", { ', ["l", "li"]],
  ])
    test(`are completed: ${where}`, async () => {
      const page = await given.open();
      await write(page, "own", "");
      await page.keyboard.insertText(typed);
      await page.keyboard.press("Control+Space");
      await eventually(async () => {
        const found = await offers(page);
        assert.deepEqual(expected.filter((one) => !found.includes(one)), [], found.join());
      });
    });
});
