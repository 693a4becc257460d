// Every link of every page leads to something that is there.
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { base, pages, site } from "./site.mjs";

const all = pages();
const anchors = new Map([...all].map(([name, html]) => [name, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((found) => found[1]))]));

/** The other hosts that documents name. */
const elsewhere = ["semver.org"];

/** What is wrong with a link of a page; "" for nothing. Links of the server itself are known by their paths. */
function fault(page, link) {
  const url = new URL(link.replaceAll("&amp;", "&"), `http://site${base}${page}`);
  if (url.hostname === "localhost" || elsewhere.includes(url.host)) return "";
  if (url.host !== "site") return "leads to another host";
  if (["/", "/docs", "/openapi.json"].includes(url.pathname)) return "";
  if (!url.pathname.startsWith(base)) return "leads out of the site";
  let name = decodeURIComponent(url.pathname.slice(base.length));
  if (name === "" || name.endsWith("/")) name += "index.html";
  if (!existsSync(join(site, name)) || !statSync(join(site, name)).isFile()) return "leads nowhere";
  const fragment = decodeURIComponent(url.hash.slice(1));
  return fragment && !anchors.get(posix.normalize(name))?.has(fragment) ? "names an anchor that is not there" : "";
}

test("every link leads somewhere", () => {
  assert.ok(all.size > 40, `only ${all.size} pages`);
  const faults = [];
  for (const [page, html] of all) {
    for (const [, link] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const why = fault(page, link);
      if (why) faults.push(`${page}: ${link} ${why}`);
    }
  }
  assert.deepEqual(faults, []);
});

test("nothing is inline that the policy of the server forbids", () => {
  for (const [page, html] of all) {
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>[^<]/, page);
    assert.doesNotMatch(html, /<[a-z][^<>]*\sstyle="/, page);
    assert.doesNotMatch(html, /<style/, page);
  }
});
