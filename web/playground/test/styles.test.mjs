// Every rule of the style sheets has something on the page that it can mean.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/server.mjs";

const source = join(root, "web/playground/src");
const read = (ending) =>
  readdirSync(source, { recursive: true })
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(join(source, name), "utf8"))
    .join("\n");

/** The classes of libraries: the plots, and the viewer of the API document. */
const foreign = /^(u-|light-mode|dark-mode|endpoint)/;

test("names no class that the page does not have", () => {
  const styles = read(/\.css$/).replaceAll(/\/\*[^]*?\*\//g, "");
  const code = read(/\.tsx?$/).replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "") + readFileSync(join(source, "../docs.html"), "utf8");
  // In quotes, or a member's name, as those of statuses are.
  const words = new Set(code.match(/"[^"\n]*"|`[^`]*`|\b\w+: /g).join(" ").match(/[\w-]+/g));
  const classes = [...styles.matchAll(/\.(-?[A-Za-z_][\w-]*)(?=[^;{}]*\{)/g)].map(([, name]) => name);
  assert.ok(classes.length > 200, `${classes.length} classes`);
  const unused = [...new Set(classes)].filter((name) => !foreign.test(name) && !words.has(name));
  assert.deepEqual(unused, []);
});

test("gives every colour and size a use", () => {
  const all = read(/\.(css|tsx?)$/);
  const names = [...new Set([...read(/\.css$/).matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name))];
  const unused = names.filter((name) => !name.startsWith("--scalar-") && !name.startsWith("--plot-") && !all.includes(`var(${name}`));
  assert.deepEqual(unused, []);
});
