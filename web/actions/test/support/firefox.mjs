// Firefox, by WebDriver BiDi: the pages of puppeteer-core are much like those of playwright-core.
import puppeteer from "puppeteer-core";
import { lacking } from "./lacking.mjs";

/** As in every browser: puppeteer-core would let pages open windows without a gesture. */
const extraPrefsFirefox = { "dom.disable_open_during_load": true };

/** A violation of the policy, such as by the icon that Firefox looks for, is told as an error, and is none of the page's own. */
const isReport = (error) => /^(Error: )?Content-Security-Policy: /.test(String(error?.message ?? error));

const told = {
  console: (listener) => (message) => listener({ type: () => message.type().replace(/^warn$/, "warning"), text: () => message.text() }),
  request: (listener) => (request) => request.url().endsWith("/favicon.ico") || listener(request),
  pageerror: (listener) => (error) => isReport(error) || listener(error),
};

export async function launchFirefox(executablePath) {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, extraPrefsFirefox });
  return {
    browser,
    async newPage() {
      const page = await (await browser.createBrowserContext()).newPage();
      const on = page.on.bind(page);
      page.on = (name, listener) => on(name, told[name]?.(listener) ?? listener);
      page.context = () => page.browserContext();
      const { keyboard } = page;
      const paste = async () => {
        await keyboard.down("Control");
        await keyboard.press("v");
        await keyboard.up("Control");
      };
      for (const [name, value] of Object.entries(lacking(page, paste))) {
        Object.defineProperty(page, name, { value });
      }
      return page;
    },
    close: () => browser.close(),
  };
}
