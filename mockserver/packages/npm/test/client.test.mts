// The package as users have it: compiled by tsc, run by node --test in a folder in which it is installed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ControlError, LintError, Server, rehearsal, type Scope } from "rehearsal";

// Servers begin here, unless the run says where; their clocks go on.
process.env.REHEARSAL_NOW ??= "2026-03-15T12:00:00Z";
const noon = new Date("2026-03-15T12:00:00Z");
const mock = rehearsal();
after(() => mock.close());

async function call(scope: Scope, method: string, route: string, body?: object): Promise<{ status: number; json: any }> {
  const response = await fetch(scope.url + route, {
    method,
    headers: { "X-Authorization": scope.companyKey, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const create = (scope: Scope) => call(scope, "POST", `/1.0/${scope.key}/export/userbase`, { ids: ["custom_id"] });

/** A good client: with pauses, to the end, and then the file. */
async function userbase(scope: Scope): Promise<string> {
  const { json: created } = await create(scope);
  for (;;) {
    await scope.sleep(2000);
    const { json: record } = await call(scope, "GET", `/1.0/${scope.key}/export/request/${created.requestId}`);
    if (record.status === "SUCCESS") return await (await fetch(record.file_url)).text();
  }
}

test("a good client", mock.test({ now: noon }, async (scope) => {
  assert.match(await userbase(scope), /^custom_id/);
  assert.equal((await scope.now()).getTime(), noon.getTime() + 2000 * (await scope.count({ route: "legacy.status" })));
  assert.deepEqual((await scope.journal({ route: "userbase" })).map((entry) => entry.status), [202]);
  assert.deepEqual((await scope.exports()).map((each) => each.status), ["SUCCESS"]);
  assert.deepEqual(await scope.lints(), []);
}));

test("scenarios", mock.test({ now: noon, scenario: "error=MAINTENANCE_ERROR;retry-after=30s", allow: "retry_after_ignored" }, async (scope) => {
  assert.equal((await create(scope)).status, 503);
  assert.equal((await create(scope)).status, 503);
  await scope.clearScenarios();
  await scope.scenario("error=MAINTENANCE_ERROR", { times: 1, stage: "create" });
  assert.equal((await create(scope)).status, 503);
  assert.equal((await create(scope)).status, 202);
  assert.equal(await scope.count({ status: "503" }), 3);
}));

test("rows", mock.test({ now: noon }, async (scope) => {
  await scope.load("installations", { install_id: "phone-1", custom_id: "ada" }, { install_id: "phone-2", custom_id: "grace" });
  await scope.show("only");
  assert.deepEqual((await userbase(scope)).trim().split(/\r?\n/).slice(1).map((line) => line.split(";")[0]), ["ada", "grace"]);
  await assert.rejects(scope.load("installations", { install_id: 1 }), (error) => error instanceof ControlError && /400.*install/.test(error.message));
}));

test("clock", mock.test(async (scope) => {
  await scope.freeze(noon);
  for (const [step, want] of [[1.5, 1.5], ["1m", 61.5], [-5, 61.5]] as const) {
    await scope.advance(step);
    assert.equal((await scope.now()).getTime(), noon.getTime() + want * 1000);
  }
  await scope.setTime("2026-05-01T00:00:00+02:00");
  assert.equal((await scope.now()).toISOString(), "2026-04-30T22:00:00.000Z");
  await scope.run(100000);
  while ((await scope.now()).toISOString() === "2026-04-30T22:00:00.000Z");
}));

describe("scopes share nothing", { concurrency: 8 }, () => {
  for (let number = 1; number <= 40; number++) {
    test(`${number}`, mock.test(async (scope) => {
      assert.deepEqual([await scope.journal(), await scope.exports()], [[], []]);
      await scope.advance(`${number}h`);
      await create(scope);
      assert.equal(await scope.count(), 1);
    }));
  }
});

test("arrivals", async () => {
  const server = await Server.start({ flags: ["--profiles", "20000"] });
  const scope = server.scope();
  await scope.freeze(noon);
  await scope.scenario("progress=now;late=1,72h;duplicates=1;skew=1,2h");
  const { status, json: created } = await call(scope, "POST", `/1.0/${scope.key}/export/in-app-campaign/welcome/events`, {
    from: "2026-02-15T12:00:00", to: "2026-03-15T12:00:00", ids: ["install_id"], events: ["inapp_shown", "inapp_clicked", "inapp_closed"],
  });
  assert.equal(status, 202);
  const { json: record } = await call(scope, "GET", `/1.0/${scope.key}/export/request/${created.requestId}`);
  const file = (await (await fetch(record.file_url)).text()).trim().split(/\r?\n/).slice(1);
  const inFile = new Set(file);
  const told = await scope.arrivals(created.requestId);
  const { arrival, missing, twice, skewed } = told;
  assert.equal(told.rows, file.length);
  assert.equal(arrival, "late=1,72h0m0s;duplicates=1;skew=1,2h0m0s");
  assert.ok(twice.rows > 1000 && missing.rows > 0 && missing.rows < 1000, "more pages than one, and a sort that ends with the first");
  assert.ok(!("next_from" in told));
  assert.equal(told.complete_at, missing.examples.map((each) => each.arrives_at).sort().at(-1));
  for (const some of [missing, twice, skewed]) {
    assert.equal(some.examples.length, some.rows);
    assert.equal(new Set(some.examples.map((each) => each.happened_at + each.row)).size, some.rows);
  }
  assert.ok(twice.examples.every((each) => inFile.has(each.row)));
  assert.ok(!missing.examples.some((each) => inFile.has(each.row)));
  await assert.rejects(scope.arrivals("no/export"), (error) => error instanceof ControlError && /400.*one path segment/.test(error.message));
  await server.close();
});

const impatient = async (scope: Scope) => {
  await scope.scenario("error=MAINTENANCE_ERROR;retry-after=30s", { times: 1 });
  await create(scope);
  await create(scope);
};

test("a lint fails a test", async () => {
  await assert.rejects(mock.test(impatient)(), (error) => error instanceof LintError && /retry_after_ignored/.test(error.message) && error.lints[0].severity === "error");
  const said: string[] = [];
  const context = { diagnostic: (text: string) => void said.push(text) };
  await mock.test({ lints: "log" }, (scope, _: typeof context) => impatient(scope))(context);
  assert.match(said.join(), /^error: retry_after_ignored/);
  await mock.test({ lints: "ignore" }, impatient)();
  await mock.test({ allow: ["retry_after_ignored"] }, impatient)();
  // What failed otherwise is told as it is, with its requests.
  said.length = 0;
  await assert.rejects(mock.test(async (scope, _: typeof context) => {
    await impatient(scope);
    throw new RangeError("mine");
  })(context), RangeError);
  assert.match(said.join(), /POST \/1\.0\/test-.* -> 503/);
  assert.throws(() => mock.test({ noww: 1 } as object, () => {}), /no option noww/);
});

test("an address", async () => {
  const server = await Server.start({ flags: ["--control-token", "secret"] });
  const shared = rehearsal({ url: server.url, token: "secret" });
  await shared.test(async (scope) => assert.equal(await scope.count(), 0))();
  await shared.close();
  assert.equal((await server.control("GET", "health")).status, "alive"); // who did not start it does not end it
  await assert.rejects(Server.at(server.url).then((other) => other.control("GET", "clock")), /401/);
  await server.close();
  await assert.rejects(Server.at(server.url), ControlError);
});

test("a server of another version", async () => {
  for (const [version, expected] of [["", undefined], ["v1.9.1", undefined], ["v9.0.1", /is a server of version 9\.0\.1, and this client is of .*Install rehearsal@9\.0\.1, or start a server of /]] as const) {
    const other = http.createServer((_, response) => response.end(JSON.stringify({ status: "alive", version })));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const at = Server.at(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    await (expected ? assert.rejects(at, expected) : at);
    await new Promise((resolve) => other.close(resolve));
  }
});

test("a recording", async () => {
  const directory = mkdtempSync(join(tmpdir(), "recording-"));
  const files = {
    "recording.json": { version: 1, began: "2026-03-15T12:00:00Z" },
    "000001.request.json": { ids: ["custom_id"] },
    "000001.answer.json": { requestId: "as-recorded" },
    "000001.json": {
      number: 1, time: "2026-03-15T12:00:00Z", method: "POST", path: "/1.0/{{key}}/export/userbase", credentials: ["X-Authorization"],
      request: { file: "000001.request.json" }, status: 202, answer: { file: "000001.answer.json" }, facts: { stage: "create", kind: "userbase", export: "as-recorded" },
    },
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(directory, name), JSON.stringify(value));
  const server = await Server.start({ flags: ["--replay", directory] });
  const scope = server.scope();
  assert.deepEqual(await create(scope), { status: 202, json: { requestId: "as-recorded" } });
  assert.deepEqual((await scope.journal()).map((entry) => entry.replayed), [1]);
  await server.close();
});

test("what does not start", async () => {
  await assert.rejects(Server.start({ flags: ["--profiles", "none"] }), /does not start.*--profiles/s);
});

test("a runner leaves no server behind", async () => {
  for (const [name, end] of [["that ends", ""], ["that is killed", "setInterval(() => {}, 1000);"]]) {
    const code = `require("rehearsal").Server.start().then((s) => { console.log(s.url); ${end} })`;
    const runner = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    const url = String((await once(runner.stdout))).trim();
    if (end) runner.kill("SIGKILL");
    await new Promise((resolve) => (runner.exitCode ?? runner.signalCode) === null ? runner.once("exit", resolve) : resolve(null));
    for (const began = Date.now(); await fetch(`${url}/_mock/health`).then(() => true, () => false); ) {
      assert.ok(Date.now() - began < 60_000, `the server of a runner ${name} stays`);
    }
  }
});

function once(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve) => stream.once("data", resolve));
}
