// A page in any engine, with what their drivers have in common: looking, clicking and waiting.

import { after, before, describe, test } from "node:test";
import { engines } from "../../../actions/test/support/engines.mjs";
import { moveDate } from "./clock.mjs";
import { missing, start } from "./server.mjs";

/**
 * Describes tests in each engine of `names`, with a server for each. What they are given opens an address of the page, for a person.
 * `flags` are further ones of the server.
 */
export function inEngines(names, title, define, flags = []) {
  for (const name of names) {
    const engine = engines[name];
    const reason = engine.missing() || missing();
    if (reason && !process.env.REQUIRE_ALL) {
      test(`${title} in ${name}`, { skip: reason }, () => {});
      continue;
    }
    describe(`${title} in ${name}`, { timeout: 1_200_000 }, () => {
      let server;
      let launched;
      before(async () => {
        if (reason) throw new Error(reason);
        server = await start({ flags });
        launched = await engine.launch({ server: { origin: server.origin, onRequest() {} } });
      });
      after(async () => {
        await launched?.close();
        await server?.stop();
      });
      define(async (hash = "", viewport = { width: 1440, height: 900 }) => {
        const page = await launched.newPage();
        await (page.setViewport ?? page.setViewportSize)?.call(page, viewport); // Firefox begins with less; the window of WebKit stays as it is
        const person = new Anywhere(page);
        await page.goto("about:blank"); // another part of the same page would not be loaded anew
        await page.goto(`${server.origin}/${hash}`);
        await person.evaluate(`(${moveDate})(it)`, server.ahead); // WebDriver runs nothing before the page does
        return person;
      });
    });
  }
}

/** Finds, in the page, what is seen and matches a selector and a text; undefined when nothing does yet. `within` is inside of what it is looked for. */
const find = `(({ selector, text, within }) => {
  const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const says = (element) => [element.getAttribute("aria-label"), element.innerText, element.value].some((said) => said && new RegExp(text, "u").test(said.trim()));
  for (const root of within ? document.querySelectorAll(within) : [document]) {
    const found = [...root.querySelectorAll(selector)].find((element) => seen(element) && (text === undefined || says(element)));
    if (found) return found;
  }
})`;

/** The page of an engine, as a person uses it. What goes wrong in it is in `faults`. */
export class Anywhere {
  faults = [];

  constructor(page) {
    this.page = page;
    page.on("pageerror", (error) => this.faults.push(`error: ${error}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && this.faults.push(`console: ${message.text()}`));
  }

  /** Evaluates an expression of the page's, with an argument as `it`. */
  evaluate(expression, it) {
    return this.page.evaluate(new Function("it", `return ${expression}`), it);
  }

  /** Waits until an expression is true. */
  async until(expression, it) {
    const end = Date.now() + 120_000;
    while (!(await this.evaluate(expression, it))) {
      if (Date.now() > end) throw new Error(`never so: ${expression} ${JSON.stringify(it) ?? ""}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Clicks as a user does, on what is seen and rests where it is. On a busy machine a driver may click where that was: then, again. */
  async click(selector, text, within) {
    const it = { selector, text, within };
    const mark = `((found) => {
      if (!found) return undefined;
      found.scrollIntoView({ block: "center" });
      found.setAttribute("data-clicked", "no");
      document.addEventListener("click", ({ target }) => target.closest("[data-clicked]")?.setAttribute("data-clicked", "yes"), { capture: true, once: true });
      return JSON.stringify(found.getBoundingClientRect());
    })(${find}(it))`;
    do {
      await this.until(`${find}(it) !== undefined`, it);
      for (let before, now; now === undefined || now !== before; ) {
        before = now;
        now = await this.evaluate(mark, it);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await this.page.click("[data-clicked]");
    } while (await this.evaluate(`document.querySelector("[data-clicked=no]") !== null`));
    await this.evaluate(`document.querySelectorAll("[data-clicked]").forEach((element) => element.removeAttribute("data-clicked"))`);
  }

  /** Waits until something is seen, and gives its text. */
  async see(selector, text, within) {
    const it = { selector, text, within };
    await this.until(`${find}(it) !== undefined`, it);
    return this.evaluate(`${find}(it)?.innerText`, it);
  }
}
