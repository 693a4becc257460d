// WebKitGTK, by WebDriver over HTTP, on a display of its own.
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lacking } from "./lacking.mjs";

/** The key under which WebDriver gives an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";
const limits = { script: 600_000, pageLoad: 60_000 };

/** Finds the browser that WebKitGTK is tested with, which distributions keep outside of the path. */
export function findMiniBrowser() {
  const list = (folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
  const folders = ["/usr/lib", "/usr/libexec", ...list("/usr/lib")];
  return folders.map((folder) => join(folder, "webkit2gtk-4.1/MiniBrowser")).find((place) => existsSync(place));
}

/** A port below those that the system gives out, which others could have before the driver has it. */
async function freePort() {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const server = createServer().listen(port, "127.0.0.1");
  if (!(await once(server, "listening").catch(() => false))) return freePort();
  await once(server.close(), "close");
  return port;
}

/** Starts a display, and gives its name, which Xvfb chooses. */
async function startDisplay() {
  const xvfb = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x900x24"], { stdio: ["ignore", "pipe", "ignore"] });
  const [name] = await Promise.race([once(xvfb.stdout.setEncoding("utf8"), "data"), once(xvfb, "exit")]);
  if (typeof name !== "string") {
    throw new Error(`Xvfb ended with ${name}`);
  }
  return { xvfb, display: `:${name.trim()}` };
}

/** Sends a command, and fails with what WebDriver says. */
async function send(url, method = "POST", body = {}) {
  const response = await fetch(url, { method, ...(method === "POST" && { body: JSON.stringify(body) }) });
  const { value } = await response.json();
  if (!response.ok) {
    throw new Error(`${value.error}: ${value.message}`);
  }
  return value;
}

export async function launchWebKit(server) {
  const { xvfb, display } = await startDisplay();
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env: { ...process.env, DISPLAY: display } });
  let session;
  const close = async () => {
    if (session) await send(session, "DELETE").catch(() => {});
    driver.kill();
    xvfb.kill();
  };
  try {
    const root = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries++) {
      const ready = await send(`${root}/status`, "GET").catch((error) => (tries < 200 ? undefined : Promise.reject(error)));
      if (ready) break;
      await sleep(50);
    }
    const options = { binary: findMiniBrowser(), args: ["--automation"] };
    const { sessionId } = await send(`${root}/session`, "POST", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } });
    session = `${root}/session/${sessionId}`;
    await send(`${session}/timeouts`, "POST", limits);
  } catch (error) {
    await close();
    throw error;
  }
  let page;
  server.onRequest((path) => path === "/favicon.ico" || page?.emit("request", { url: () => server.origin + path }));
  return { newPage: async () => (page = new Page(session)), close };
}

/** Notes what a page prints and what goes wrong in it, from when it was opened. WebDriver itself does not tell. */
const record = `
  if (!window[Symbol.for("told")]) {
    const told = (window[Symbol.for("told")] = []);
    for (const [method, type] of [["log", "log"], ["info", "info"], ["warn", "warning"], ["error", "error"]]) {
      const print = console[method];
      console[method] = (...texts) => (told.push(["console", type, texts.join(" ")]), print.apply(console, texts));
    }
    addEventListener("error", ({ error, message }) => told.push(["pageerror", String(error ?? message)]));
    addEventListener("unhandledrejection", ({ reason }) => told.push(["pageerror", String(reason)]));
  }`;

/** Gives a value in JSON, with what JSON lacks under a name that no test uses. */
const encode = `(function encode(v) {
  const odd = (type) => ({ $: type, v: Object.is(v, -0) ? "-0" : String(v) });
  if (v === undefined || typeof v === "bigint" || (typeof v === "number" && (!Number.isFinite(v) || Object.is(v, -0)))) return odd(typeof v);
  if (Array.isArray(v)) return v.map(encode);
  return v && typeof v === "object" ? Object.fromEntries(Object.entries(v).map(([name, member]) => [name, encode(member)])) : v;
})`;

const decoders = { undefined: () => undefined, bigint: BigInt, number: Number };

function decode(text) {
  const undo = (v) => {
    if (Array.isArray(v)) return v.map(undo);
    if (!v || typeof v !== "object") return v;
    return v.$ ? decoders[v.$](v.v) : Object.fromEntries(Object.entries(v).map(([name, member]) => [name, undo(member)]));
  };
  return undo(JSON.parse(text));
}

/**
 * The one tab of the session: a page that is opened takes the place of the one before it. What it requests is what the server is asked
 * for, and what it prints or throws is told when it is next evaluated.
 */
class Page extends EventEmitter {
  #session;

  constructor(session) {
    super();
    this.#session = session;
    Object.assign(this, lacking(this, () => this.#paste()));
  }

  #paste() {
    const actions = [["keyDown", "\uE009"], ["keyDown", "v"], ["keyUp", "v"], ["keyUp", "\uE009"]].map(([type, value]) => ({ type, value }));
    return send(`${this.#session}/actions`, "POST", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async goto(url) {
    await send(`${this.#session}/url`, "POST", { url });
    await this.evaluate(() => {});
  }

  async reload() {
    await send(`${this.#session}/refresh`);
    await this.evaluate(() => {});
  }

  async evaluate(run, argument) {
    const script = `${record}
      const [text, done] = arguments;
      const end = (value) => done(JSON.stringify(${encode}({ ...value, told: window[Symbol.for("told")].splice(0) })));
      new Promise((resolve) => resolve((${run})(text && JSON.parse(text))))
        .then((value) => end({ value }), (error) => end({ error: String(error?.stack ?? error), message: String(error) }));`;
    const answer = await send(`${this.#session}/execute/async`, "POST", { script, args: [JSON.stringify(argument) ?? null] });
    const { value, error, message, told } = decode(answer);
    for (const [name, ...what] of told) {
      this.emit(name, name === "console" ? { type: () => what[0], text: () => what[1] } : what[0]);
    }
    if (error !== undefined) {
      throw new Error(`${message}\n${error}`);
    }
    return value;
  }

  async waitForFunction(run) {
    const end = Date.now() + limits.pageLoad;
    while (!(await this.evaluate(`async () => Boolean(await (${run})())`))) {
      if (Date.now() > end) throw new Error(`${run} is not so within ${limits.pageLoad} ms`);
      await sleep(20);
    }
  }

  /** Clicks as a user does. */
  async click(selector) {
    const element = await send(`${this.#session}/element`, "POST", { using: "css selector", value: selector });
    await send(`${this.#session}/element/${element[elementKey]}/click`);
  }

  title() {
    return send(`${this.#session}/title`, "GET");
  }

  url() {
    return send(`${this.#session}/url`, "GET");
  }

  context() {
    return { close: async () => {} };
  }
}
