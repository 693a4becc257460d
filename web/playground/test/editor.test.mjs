// The editor of the arguments: completion, faults, and what there is without it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./support/stage.mjs";
import { choose, editor, eventually, press, register, result, type } from "./support/person.mjs";

const clear = async (page) => {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
};
const offers = async (page) => {
  await page.locator(".cm-tooltip-autocomplete li").first().waitFor();
  await page.waitForTimeout(100); // what is accepted sooner was not read
  return page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allInnerTexts();
};
const text = (page) =>
  editor(page).evaluate((element) => [...element.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
const marks = (page, kind) => page.locator(`.cm-lintRange-${kind}`);

/** The messages that the editor shows at a mark. */
async function hints(page, mark) {
  await page.mouse.move(0, 0); // a hint of before goes away
  await mark.hover();
  await page.locator(".cm-tooltip-lint").first().waitFor();
  return page.locator(".cm-tooltip-lint .cm-diagnostic").allInnerTexts();
}

onPage("the editor", (given) => {
  test("offers the arguments that are not there yet, and their values", async () => {
    const page = await given.open();
    await choose(page, "service.user.tag");
    await clear(page);
    await page.keyboard.type("{");
    await page.keyboard.press("Control+Space");
    await eventually(async () => assert.deepEqual(await offers(page), ['"a"', '"c"', '"t"']));
    await page.keyboard.press("Enter");
    await eventually(async () => assert.equal(await text(page), '{"a": ""}'));
    await page.keyboard.press("Control+Space");
    await eventually(async () => assert.deepEqual(await offers(page), ['"add"', '"remove"']));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await eventually(async () => assert.equal(await text(page), '{"a": "remove"}'));
    await page.keyboard.type(", ");
    await page.keyboard.press("Control+Space");
    await eventually(async () => assert.deepEqual(await offers(page), ['"c"', '"t"']));
  });

  test("offers identifiers in a group, the person's own first, and the arguments of each", async () => {
    const page = await given.open();
    await register(page, "open-basket");
    await choose(page, "service.group");
    await clear(page);
    await page.keyboard.type('{"actions": [["');
    await page.keyboard.press("Control+Space");
    const all = await offers(page);
    assert.equal(all[0], '"open-basket"');
    assert.ok(all.includes('"service.deeplink"') && !all.includes('"service.group"'));
    await clear(page);
    await page.keyboard.type('{"actions": [["service.deeplink", {');
    await page.keyboard.press("Control+Space");
    await eventually(async () => assert.deepEqual(await offers(page), ['"l"', '"li"']));
  });

  test("shows what the schema refuses, where it is", async () => {
    const page = await given.open();
    await choose(page, "service.user.event");
    await type(page, { e: "", t: ["a", 5], a: [] });
    await marks(page, "error").nth(2).waitFor();
    await eventually(async () => assert.deepEqual(await marks(page, "error").allInnerTexts(), ['""', "5", "["]));
    await eventually(async () => assert.deepEqual(await hints(page, marks(page, "error").first()), ['argument "e" is the string "", a string that is not empty is required']));
    await type(page, { l: "x" });
    await marks(page, "error").first().waitFor();
    await eventually(async () => assert.match((await hints(page, marks(page, "error").first())).join(), /argument "e" is missing/));
  });

  test("warns of an argument that is ignored, and of faults inside a group", async () => {
    const page = await given.open();
    await choose(page, "service.clipboard");
    await type(page, { t: "x", text: "y" });
    await marks(page, "info").first().waitFor();
    await eventually(async () =>
      assert.deepEqual(await hints(page, marks(page, "info").first()), ['service.clipboard has no argument "text": it is ignored']),
    );
    await choose(page, "service.group");
    await type(page, { actions: [["service.clipboard", { t: 5 }]] });
    await marks(page, "warning").first().waitFor();
    await eventually(async () => assert.equal(await marks(page, "warning").innerText(), "5"));
    await eventually(async () =>
      assert.match(await page.locator(".verdict.partial").first().innerText(), /ready, except for one of its actions/),
    );
  });

  test("marks what is not JSON where the browser says it is", async () => {
    const page = await given.open();
    for (const [typed, place] of [
      ['{ "x" }', "line 1 column 7"],
      ['{"t": 01}', "line 1 column 8"],
      ['{\n  "t": 1 2\n}', "line 2 column 10"],
      ['{"t": [1', "line 1 column 9"],
    ]) {
      await type(page, typed);
      await page.locator(".obstacle", { hasText: place }).waitFor();
      await marks(page, "error").or(page.locator(".cm-lintPoint-error")).first().waitFor({ state: "attached" });
    }
    await type(page, '{"t": "a", "x": [{"t": 1}, {"t": -0.5e+2}, "\\u00e9\\n", true, null, {}, []]}');
    await page.locator(".obstacle").waitFor({ state: "hidden" });
  });

  test("points at what is not JSON, and nothing runs meanwhile", async () => {
    const page = await given.open();
    await type(page, '{"t": tru}');
    await marks(page, "error").first().waitFor();
    await page.getByText(/Cannot run yet: the arguments are not strict JSON/).waitFor();
    await page.getByRole("button", { name: "Perform on phone" }).click({ force: true });
    assert.equal(await page.locator(".log").count(), 0);
    await type(page, '{"t": "x"');
    await page.getByText(/Cannot run yet: the arguments are not strict JSON/).waitFor();
  });

  test("arguments that are JSON but no object are refused by the actions", async () => {
    const page = await given.open();
    await type(page, "[1]");
    await page.locator("[data-host=phone].verdict.refused").waitFor();
    await press(page, "phone");
    await eventually(async () => assert.equal((await result(page, "invalid_arguments")).status, "invalid_arguments"));
  });

  test("tidies what was typed, and leaves it when it cannot", async () => {
    const page = await given.open();
    await choose(page, "service.user.event");
    await type(page, '{"e":"read","a":{"big":9223372036854775807,"list":[1,2,3]},"t":["one","two"],"l":null}');
    await page.getByRole("button", { name: "Format" }).click();
    const tidy =
      '{\n  "e": "read",\n  "a": { "big": 9223372036854775807, "list": [1, 2, 3] },\n  "t": ["one", "two"],\n  "l": null\n}';
    await eventually(async () => assert.equal(await text(page), tidy));
    await type(page, '{"e"');
    await page.getByRole("button", { name: "Format" }).click();
    await eventually(async () => assert.equal(await text(page), '{"e"'));
  });

  test("is a plain field when the editor cannot be loaded", async () => {
    const page = await given.open({ prepare: (page) => page.route("**/assets/editor-*.js", (route) => route.abort()) });
    await page.getByText("The editor could not be loaded.").waitFor();
    await page.getByRole("textbox", { name: "Arguments as JSON" }).fill('{"t": "plain"}');
    await press(page, "phone");
    await eventually(async () => assert.equal((await result(page, "performed")).status, "performed"));
    page.faults = page.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  });

});
