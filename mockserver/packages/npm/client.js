"use strict";

const { spawn } = require("node:child_process");
const { randomUUID } = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const os = require("node:os");
const path = require("node:path");
const { setTimeout: delay } = require("node:timers/promises"); // kept, for a test may put another in its place

const { binaryPath } = require("./binary.js");
const { version } = require("./package.json");

/** checkVersion refuses a server of another major version; before 1.0.0, that is the second number. A version that is no release is not compared. */
function checkVersion(url, server = "", client) {
  const [ofServer, ofClient] = [server, client].map((each) => /^v?(\d+)\.(\d+)\.\d+$/.exec(each)).map((found) => found && (found[1] === "0" ? `0.${found[2]}` : found[1]));
  if (!ofServer || !ofClient || ofServer === ofClient) return;
  const plain = server.replace(/^v/, "");
  throw new Error(
    `${url} is a server of version ${plain}, and this client is of ${client}: they understand each other within one major version. Install rehearsal@${plain}, or start a server of ${client}`,
  );
}

class ControlError extends Error {
  name = "ControlError";
}

class LintError extends Error {
  name = "LintError";
  constructor(lints) {
    super(`the client:\n${lints.map(describeLint).join("\n")}`);
    this.lints = lints;
  }
}

const describeLint = (lint) =>
  `${lint.severity}: ${lint.code}: ${lint.message} (requests ${lint.requests})\n  rule: ${lint.rule}\n  instead: ${lint.advice}`;

const describeEntry = (entry) => `${entry.sequence} ${entry.method} ${entry.path} -> ${entry.status || "cut"}: ${entry.reason}`;

/** send sends a request, without what a test may have replaced, such as fetch. */
function send(method, address, { token, ca, body }) {
  return new Promise((resolve, reject) => {
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body !== undefined && { "Content-Type": "application/json" }) };
    const request = (address.protocol === "https:" ? https : http).request(address, { method, headers, ca, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text }));
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

class Server {
  /** Starts the program, on a free port, with its state in memory; it ends with this process. */
  static async start({ flags = [], timeout = 30000 } = {}) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "rehearsal-"));
    const readyFile = path.join(directory, "ready.json");
    const log = path.join(directory, "log");
    const output = fs.openSync(log, "w");
    const program = binaryPath();
    const child = spawn(
      program,
      [
        ...["serve", "--port", "0", "--test"],
        ...["--ready-file", readyFile, "--until-stdin-closes", "--shutdown-timeout", "0s", ...flags],
      ],
      { stdio: ["pipe", output, output] },
    );
    fs.closeSync(output);
    let fault;
    child.on("error", (error) => (fault = error));
    child.stdin.on("error", () => {}); // it has ended
    // Neither keeps a test runner from ending.
    child.unref();
    child.stdin.unref?.();
    const server = new Server("", { child, directory });
    const deadline = performance.now() + timeout;
    while (!fs.existsSync(readyFile)) {
      if (fault || child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
        const said = fs.readFileSync(log, "utf8");
        await server.close();
        throw new Error(`${program} does not start: ${fault?.message ?? ""}${said}`);
      }
      await delay(10);
    }
    const ready = JSON.parse(fs.readFileSync(readyFile, "utf8"));
    if (process.platform !== "win32") fs.rmSync(directory, { recursive: true }); // a runner that is killed leaves nothing
    server.url = ready.url;
    server.#token = ready.control_token;
    server.#ca = ready.certificate;
    checkVersion(server.url, ready.version, version);
    return server;
  }

  /** A server that runs already, with --credentials any. */
  static async at(url, { token } = {}) {
    const server = new Server(url.replace(/\/+$/, ""), { token });
    const health = await server.control("GET", "health");
    checkVersion(server.url, health.version, version);
    return server;
  }

  #token;
  #ca;
  #child;
  #directory;

  constructor(url, { token, child, directory }) {
    this.url = url;
    this.#token = token;
    this.#child = child;
    this.#directory = directory;
  }

  async control(method, name, { body, query = {} } = {}) {
    const address = new URL(`${this.url}/_mock/${name}`);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(key, String(value));
    let answer;
    try {
      answer = await send(method, address, { token: this.#token, ca: this.#ca, body });
    } catch (error) {
      throw new ControlError(`${method} ${address}: ${error.message || error.code}`);
    }
    if (answer.status < 400) return answer.text ? JSON.parse(answer.text) : null;
    let message = answer.text;
    try {
      message = JSON.parse(answer.text).message ?? message;
    } catch {
      // it is no answer of the server
    }
    throw new ControlError(`${method} ${address}: ${answer.status}: ${message}`);
  }

  scope(key = `test-${randomUUID()}`) {
    return new Scope(this, key);
  }

  async close() {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      child.ref();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      const patience = new AbortController();
      await Promise.race([ended, delay(15000, null, { signal: patience.signal }).then(() => child.kill("SIGKILL"), () => {})]);
      await ended;
      patience.abort();
    }
    if (this.#directory) fs.rmSync(this.#directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]() {
    await this.close();
  }
}

class Scope {
  companyKey = "company";
  token = "token";
  #allowed = new Set();

  constructor(server, key) {
    this.server = server;
    this.key = key;
  }

  get url() {
    return this.server.url;
  }

  #control(method, name, body, query) {
    return this.server.control(method, name, { body, query: { ...query, key: this.key } });
  }

  async now() {
    return new Date((await this.#control("GET", "clock")).now);
  }

  async advance(by) {
    await this.#control("POST", "clock", { advance: typeof by === "string" ? by : `${Math.max(by, 0).toFixed(9)}s` });
  }

  // A property, so that it can be given to a client as it is.
  sleep = (milliseconds) => this.advance(milliseconds / 1000);

  async setTime(at) {
    await this.#control("POST", "clock", { set: at });
  }

  async freeze(at) {
    await this.#control("POST", "clock", { freeze: true, ...(at !== undefined && { set: at }) });
  }

  async run(rate = 1) {
    await this.#control("POST", "clock", { freeze: false, rate });
  }

  async scenario(scenario, { times, ...match } = {}) {
    const body = { scenario, match: { ...match, key: this.key }, ...(times !== undefined && { times }) };
    return (await this.server.control("POST", "scenarios", { body })).id;
  }

  async clearScenarios() {
    await this.#control("DELETE", "scenarios");
  }

  async load(kind, ...rows) {
    await this.#control("POST", `data/${encodeURIComponent(kind)}`, rows);
  }

  async show(mode) {
    await this.#control("POST", "data", { mode });
  }

  async exports() {
    return (await this.#control("GET", "exports")).exports;
  }

  async arrivals(exportId) {
    const name = `exports/${encodeURIComponent(exportId)}/arrivals`;
    const next = (from) => this.server.control("GET", name, { query: { limit: 1000, from } });
    let { next_from: from, ...found } = await next();
    while (from !== undefined) {
      const page = await next(from);
      for (const sort of ["missing", "twice", "skewed"]) found[sort].examples.push(...page[sort].examples);
      from = page.next_from;
    }
    return found;
  }

  async journal(filter = {}) {
    const found = [];
    for (let since = filter.since; ; ) {
      const page = await this.#control("GET", "journal", undefined, { ...filter, since });
      found.push(...page.requests);
      if (!page.has_more) return found;
      since = page.next_since;
    }
  }

  async count(filter = {}) {
    return (await this.#control("GET", "journal/count", undefined, filter)).count;
  }

  allow(...codes) {
    for (const code of codes) this.#allowed.add(code);
  }

  async lints() {
    const { lints } = await this.#control("GET", "lints", undefined, { underway: true });
    return lints.filter((lint) => !this.#allowed.has(lint.code));
  }

  async check({ warnings = false } = {}) {
    const found = (await this.lints()).filter((lint) => warnings || lint.severity === "error");
    if (found.length > 0) throw new LintError(found);
  }

  async reset() {
    await this.#control("DELETE", "state");
    this.#allowed.clear();
  }
}

const judged = ["error", "warning", "log", "ignore"];

class Rehearsal {
  #options;
  #server;

  constructor(options = {}) {
    this.#options = options;
  }

  server() {
    const address = this.#options.url ?? process.env.REHEARSAL_URL;
    this.#server ??= address
      ? Server.at(address, { token: this.#options.token ?? process.env.REHEARSAL_CONTROL_TOKEN })
      : Server.start(this.#options);
    return this.#server;
  }

  test(...given) {
    const body = given.pop();
    const { now, scenario, allow = [], lints = this.#options.lints ?? "error", ...unknown } = given.pop() ?? {};
    if (Object.keys(unknown).length > 0) throw new TypeError(`rehearsal: a test has no option ${Object.keys(unknown)}; it has now, scenario, allow and lints`);
    if (!judged.includes(lints)) throw new TypeError(`rehearsal: the lints "${lints}" are not one of ${judged.join(", ")}`);
    // Without parameters, since Jest takes one for a callback.
    return async (...context) => {
      const scope = (await this.server()).scope();
      try {
        if (now !== undefined) await scope.freeze(now);
        if (scenario !== undefined) await scope.scenario(scenario);
        scope.allow(...[allow].flat());
        try {
          await body(scope, ...context);
        } catch (error) {
          await tell(scope, context[0]); // it has failed already, and its client is somewhere on its way
          throw error;
        }
        if (lints === "log") for (const lint of await scope.lints()) say(context[0], describeLint(lint));
        else if (lints !== "ignore") await scope.check({ warnings: lints === "warning" });
      } finally {
        await scope.reset();
      }
    };
  }

  async close() {
    const server = this.#server;
    this.#server = undefined;
    await (await server)?.close();
  }
}

/** say adds a text to what the runner reports of a test. */
function say(context, text) {
  if (typeof context?.diagnostic === "function") context.diagnostic(text);
  else console.error(text);
}

async function tell(scope, context) {
  try {
    const entries = await scope.journal();
    if (entries.length > 0) say(context, `rehearsal: requests\n${entries.slice(-40).map(describeEntry).join("\n")}`);
  } catch {
    // the server is gone, which the test has met itself
  }
}

const rehearsal = (options) => new Rehearsal(options);

module.exports = { ControlError, LintError, Rehearsal, Scope, Server, rehearsal };
