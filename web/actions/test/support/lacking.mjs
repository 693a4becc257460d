import { setTimeout as sleep } from "node:timers/promises";

/** The operations on a page that playwright-core has and the others lack. `paste` presses Control and V. */
export function lacking(page, paste) {
  return {
    fill: (selector, text) => page.evaluate(([selector, text]) => void (document.querySelector(selector).value = text), [selector, text]),
    focus: (selector) => page.evaluate((selector) => document.querySelector(selector).focus(), selector),
    inputValue: (selector) => page.evaluate((selector) => document.querySelector(selector).value, selector),
    waitForTimeout: (milliseconds) => sleep(milliseconds),
    /** The pattern is two stars and how the URL ends. */
    async waitForURL(pattern) {
      while (!(await page.url()).endsWith(pattern.slice(2))) await sleep(20);
    },
    keyboard: { press: paste },
  };
}
