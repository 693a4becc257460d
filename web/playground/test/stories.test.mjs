// The stories of the documents, played step by step: each names a part of the page, which a person then clicks or sees. Every engine
// plays the same steps. Chromium also checks the documents, and takes their pictures when SHOTS names a folder: make shots.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nightly } from "../../actions/test/support/level.mjs";
import { Anywhere, inEngines } from "./support/anywhere.mjs";
import { faults } from "./support/axe.mjs";
import { eventually } from "./support/person.mjs";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const stories = JSON.parse(readFileSync(new URL("stories.json", import.meta.url), "utf8"));
const viewport = { width: 1280, height: 800 };
const flags = ["--now", "2026-03-11T09:41:00Z"]; // the same rows, and the same pictures, whenever it runs
const pictures = process.env.SHOTS && join(root, process.env.SHOTS);

/** The link to the file of the export, as a client is told it. */
const link = async (person) => /http[^"]*/.exec(await person.see(".lookup .record"))[0];

/** What a client gets from a link. */
async function get(link) {
  const answer = await fetch(link);
  return { status: answer.status, text: await answer.text() };
}

/** What has to be true at a step of a story, by the story and the number of the step from one. */
const proofs = {
  "first-export 4": (person) => person.see(".states .now.SUCCESS"),
  "awkward-night 4": (person) => person.see(".answer.bad", "Retry-After: 30"),
  "awkward-night 9": (person) => person.see(".states .now.ERROR"),
  "expired-link 5": async (person, seen) => {
    seen.link = await link(person);
    assert.equal((await get(seen.link)).status, 200);
  },
  "expired-link 7": (_, seen) =>
    eventually(async () => {
      const { status, text } = await get(seen.link);
      assert.equal(status, 403); // once the clock has moved
      assert.match(text, /LINK_EXPIRED/);
    }),
  "expired-link 8": (person, seen) =>
    eventually(async () => {
      const fresh = await link(person);
      assert.notEqual(fresh, seen.link);
      assert.equal((await get(fresh)).status, 200);
      await person.see(".download", "Link works until");
    }),
  "phone-action 4": (person) => person.see(".entry.performed .value", "authorized"),
  "tap-to-row 3": (person) => person.until("document.querySelectorAll('.recorded .events li.there').length === 3"),
  "tap-to-row 5": async (person) => {
    await person.see(".proof", "3 rows from you");
    await person.until("document.querySelectorAll('.proof .one[data-state=there]').length === 3");
  },
};

// Engines note answers of 503 on their consoles.
const expected = /status of 503/;

/** Does what the story says, step by step, to its end. `look` is called at each step, with its number from zero. */
async function follow(person, { name, steps }, look) {
  const seen = {};
  for (const [i, { at, click }] of steps.entries()) {
    await person.see(at);
    await proofs[`${name} ${i + 1}`]?.(person, seen);
    await look?.(i);
    if (click) await person.click(`:is(${at}):not([aria-disabled=true])`);
  }
  assert.deepEqual(person.faults.filter((fault) => !expected.test(fault)), []);
}

/** On a change other engines play three: an export from the request to its rows, an action on the phone, and a tap that is a row. */
const elsewhere = stories.filter(({ name }) => nightly || ["first-export", "phone-action", "tap-to-row"].includes(name));

inEngines(["firefox", "webkit"], "stories", (open) => {
  for (const story of elsewhere)
    test(`${story.name}: is played to its end`, async () => {
      await follow(await open(story.view, viewport), story);
    });
}, flags);

onPage("stories in chromium", (given) => {
  for (const story of stories) {
    const { name, title, about, steps } = story;
    test(`${name}: is played to its end, and the document tells it in the same words`, async () => {
      const document = readFileSync(join(root, "docs/tutorials/tours.md"), "utf8").split("\n## ").find((section) => section.startsWith(`${title}\n`));
      assert.ok(document?.startsWith(`${title}\n\n${about}\n`), document);
      for (const [i, { say }] of steps.entries()) assert.ok(document.includes(`\n${i + 1}. ${say}\n`), say);
      const page = await given.open({ hash: story.view, ready: false, viewport });
      await follow(new Anywhere(page), story, async (i) => {
        if (i === 0) assert.deepEqual(await faults(page), []);
        if (!steps[i].picture) return;
        assert.ok(document.includes(`](pictures/${name}.png)`));
        if (!pictures) return;
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${name}.png`) });
      });
      page.faults = page.faults.filter((fault) => !expected.test(fault));
    });
  }
}, flags);
