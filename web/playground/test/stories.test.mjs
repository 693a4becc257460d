// The stories of the documents, played by following the guided tour: each step points at something, which a person then does or
// sees. With SHOTS naming a folder their pictures are taken: make shots.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const stories = JSON.parse(readFileSync(new URL("../src/tour/stories.json", import.meta.url), "utf8"));
const pictures = process.env.SHOTS && join(root, process.env.SHOTS);

/** What has to be true at a step of a story, by the story and the number of the step from one. */
const proofs = {
  "first-export 4": async (page) => page.locator(".states .now.SUCCESS").waitFor(),
  "awkward-night 4": async (page) => page.getByText("Retry-After: 30 seconds").waitFor(),
  "awkward-night 9": async (page) => page.locator(".states .now.ERROR").waitFor(),
  "expired-link 5": async (page, seen) => {
    seen.link = /http[^"]*/.exec(await page.locator(".watch .record").innerText())[0];
    assert.equal((await page.request.get(seen.link)).status(), 200);
  },
  "expired-link 7": async (page, seen) => {
    const answer = await page.request.get(seen.link);
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /LINK_EXPIRED/);
  },
  "expired-link 8": async (page, seen) =>
    eventually(async () => {
      const [fresh] = /http[^"]*/.exec(await page.locator(".watch .record").innerText());
      assert.notEqual(fresh, seen.link);
      assert.equal((await page.request.get(fresh)).status(), 200);
    }),
  "phone-action 4": async (page) => page.locator(".entry.performed .value", { hasText: "authorized" }).waitFor(),
  "tap-to-row 5": async (page) => {
    await page.getByText("3 of its", { exact: false }).first().waitFor();
    assert.equal(await page.locator(".proof .one[data-state=there]").count(), 3);
  },
};

// Chromium notes answers of 503 on its console.
const expected = /status of 503/;

onPage("stories", (given) => {
  for (const { name, title, about, steps } of stories) {
    test(`${name}: the tour leads through it, and the document tells it in the same words`, async () => {
      const document = readFileSync(join(root, `docs/tutorials/page-${name}.md`), "utf8");
      assert.ok(document.startsWith(`# ${title}\n\n${about}\n`), document);
      const page = await given.open({ hash: `#tour/${name}`, ready: false, viewport: { width: 1280, height: 800 } });
      const tour = page.locator(".tour");
      const seen = {};
      for (const [i, { say, click, picture }] of steps.entries()) {
        assert.ok(document.includes(`\n${i + 1}. ${say}\n`), say);
        await tour.getByText(`step ${i + 1} of ${steps.length}`).waitFor();
        assert.equal(await tour.getByRole("status").innerText(), say);
        const target = page.locator("[data-toured]");
        await target.waitFor();
        await proofs[`${name} ${i + 1}`]?.(page, seen);
        if (i === 0) assert.deepEqual(await faults(page), []);
        if (picture) {
          assert.ok(document.includes(`](pictures/${name}.png)`));
          if (pictures) {
            mkdirSync(pictures, { recursive: true });
            await page.screenshot({ path: join(pictures, `${name}.png`) });
          }
        }
        if (click) await target.click();
        else await tour.getByRole("button", { name: "Next" }).click();
      }
      await tour.getByText("That was it.").waitFor();
      await tour.getByRole("button", { name: "Close" }).click();
      await tour.waitFor({ state: "detached" });
      assert.equal(await page.locator("[data-toured]").count(), 0);
      page.faults = page.faults.filter((fault) => !expected.test(fault));
    });
  }

  test("a tour can be left, and begun from the foot of every view", async () => {
    const page = await given.open({ hash: "#loop", ready: false, viewport: { width: 390, height: 844 } });
    await page.getByRole("link", { name: "first export", exact: true }).click();
    await page.locator(".tour").getByText("step 1 of").waitFor();
    await page.locator("#kind").waitFor();
    assert.deepEqual(await faults(page), []);
    await page.getByRole("button", { name: "Leave the tour" }).click();
    await page.locator(".tour").waitFor({ state: "detached" });
  });
});
