// Tests of a client of the export API against the mock, with Node 20 and nothing else.
//
//     MOCKSERVER=/path/to/mockserver node --test exports.test.mjs
//
// startMock starts the server and owns its clock. Exports is the client under test: put yours in its place.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { setTimeout } from "node:timers/promises";

/** Starts a mock server on a free port. Its clock stands still until it is moved. */
async function startMock(...flags) {
  const directory = await mkdtemp(join(tmpdir(), "mock-"));
  const readyFile = join(directory, "ready.json");
  const program = spawn(process.env.MOCKSERVER ?? "mockserver", ["serve", "--port", "0", "--ready-file", readyFile, "--state", "memory", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  program.stderr.on("data", (text) => (log += text));
  const ended = new Promise((resolve) => {
    program.once("error", (error) => resolve(String(error)));
    program.once("exit", (code) => resolve(`exit code ${code}`));
  });
  const stop = async () => {
    if (program.exitCode === null && program.pid) {
      program.kill();
      await ended;
    }
    await rm(directory, { recursive: true });
  };
  let ready;
  for (const deadline = Date.now() + 60_000; !ready; ) {
    const end = await Promise.race([ended, setTimeout(20)]);
    if (end || Date.now() > deadline) {
      await stop();
      throw new Error(`the mock does not start: ${end ?? "it takes too long"}\n${log}`);
    }
    ready = await readFile(readyFile, "utf8").then(JSON.parse, () => undefined);
  }
  const control = async (method, path, body) => {
    const headers = { "Content-Type": "application/json" };
    if (ready.control_token) headers.Authorization = `Bearer ${ready.control_token}`;
    const response = await fetch(ready.control_url + path, { method, headers, body: body && JSON.stringify(body) });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response.status === 204 ? undefined : response.json();
  };
  return {
    url: ready.url,
    control,
    stop,
    /** Empties the server and stops its clock. */
    async reset() {
      await control("DELETE", "state");
      await control("DELETE", "journal");
      await control("POST", "clock", { freeze: true });
    },
    /** Takes the place of a timer: the clock of the server moves, and nobody waits. */
    sleep: (seconds) => control("POST", "clock", { advance: `${seconds}s` }),
  };
}

/** A client of the export API: creates, polls and downloads. */
class Exports {
  constructor(url, sleep = (seconds) => setTimeout(seconds * 1000)) {
    this.url = url;
    this.sleep = sleep;
  }

  /** Downloads the events of a campaign: the lines of the file, the header first. */
  async campaignEvents(campaign, from, to = "now") {
    const headers = { "X-Authorization": "rest_demo" };
    const { requestId } = await this.send(`/1.0/live_demo/export/campaign/${encodeURIComponent(campaign)}/events`, headers, {
      from, to, events: ["push_sent", "push_open"], ids: ["install_id", "custom_id", "advertising_id"],
    });
    const path = `/1.0/live_demo/export/request/${requestId}`;
    await this.finished(path, headers);
    for (let attempt = 0; attempt < 3; attempt++) {
      const { file_url: link } = await this.send(path, headers); // every lookup gives a new link
      const response = await this.download(link);
      if (response.ok) return (await response.text()).trimEnd().split("\n");
      await response.body?.cancel();
      if (response.status !== 403) throw new Error(`${link} answers ${response.status}`); // 403: it has expired on its way
    }
    throw new Error(`no link for ${requestId} works`);
  }

  /** Downloads attributes of all profiles. */
  async attributes(...names) {
    const headers = { Authorization: "Bearer token_demo", "X-Service-Project": "project_demo" };
    const { id } = await this.send("/2.7/profiles/export", headers, { export_type: "ATTRIBUTES", attributes: names, identifiers: ["custom_id"] });
    const { files } = await this.finished(`/2.7/exports/view?id=${id}`, headers);
    const profiles = [];
    for (const file of files) {
      const redirect = await fetch(`${this.url}/2.7/exports/download?id=${file.id}`, { headers, redirect: "manual" });
      await redirect.body?.cancel();
      const response = await this.download(redirect.headers.get("Location")); // without the credentials of the API
      if (!response.ok) throw new Error(`the file ${file.id} answers ${response.status}`);
      profiles.push(...(await response.json()));
    }
    return profiles;
  }

  /** Polls until an export is over, for an hour at most. */
  async finished(path, headers) {
    for (let poll = 0; poll < 360; poll++) {
      const record = await this.send(path, headers);
      if (record.status === "SUCCESS") return record;
      if (record.status === "ERROR") throw new Error(`the export failed: ${JSON.stringify(record)}`);
      await this.sleep(10);
    }
    throw new Error(`${path} is still not over`);
  }

  /** Sends a request, again when the server asks for patience. */
  async send(path, headers, body) {
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await fetch(this.url + path, {
        method: body ? "POST" : "GET", headers: { ...headers, "Content-Type": "application/json" }, body: body && JSON.stringify(body),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status !== 429) throw new Error(`${path} answers ${response.status}: ${text}`);
      await this.sleep(Number(response.headers.get("Retry-After")));
    }
    throw new Error(`${path} is refused again and again`);
  }

  download(link) {
    return fetch(link);
  }
}

let mock, client, provoked;
before(async () => {
  mock = await startMock("--profiles", "500", "--progress", "time:30s", "--refuse-authorization");
});
after(() => mock?.stop());
beforeEach(async () => {
  await mock.reset();
  client = new Exports(mock.url, mock.sleep);
  provoked = []; // lints that a test brings about on purpose
});
afterEach(async () => {
  // Whatever a test asked for: the client kept to the specification.
  const { lints } = await mock.control("GET", "lints");
  const errors = lints.filter((lint) => lint.severity === "error" && !provoked.includes(lint.code));
  assert.deepEqual(errors.map((lint) => `${lint.message}: ${lint.advice} (${lint.rule})`), []);
});

test("a legacy export", async () => {
  const [header, ...rows] = await client.campaignEvents("welcome", "2025-01-01T00:00:00");
  assert.equal(header, "install_id;custom_id;advertising_id;event_date;event_type");
  assert.ok(rows.length > 0);
});

test("a profile export", async () => {
  const profiles = await client.attributes("$email_address", "$language");
  assert.ok(profiles.some((profile) => profile.attributes?.$email_address));
});

test("too many requests", async () => {
  await mock.control("POST", "scenarios", { match: { stage: "create" }, times: 2, scenario: "error=TOO_MANY_REQUESTS;retry-after=90s" });
  assert.ok((await client.campaignEvents("welcome", "2025-01-01T00:00:00")).length > 1);
  assert.equal((await mock.control("GET", "journal/count?status=429")).count, 2);
});

test("an expired link", async () => {
  const links = [];
  client.download = async (link) => {
    if (links.push(link) === 1) await mock.sleep(21 * 60); // longer than a link works
    return fetch(link);
  };
  provoked = ["dead_link_used"];
  assert.ok((await client.campaignEvents("welcome", "2025-01-01T00:00:00")).length > 1);
  assert.equal(links.length, 2);
});

test("an export that fails", async () => {
  await mock.control("POST", "scenarios", { times: 1, scenario: "outcome=error" });
  await assert.rejects(client.campaignEvents("welcome", "2025-01-01T00:00:00"), /the export failed/);
});
