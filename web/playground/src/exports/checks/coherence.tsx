// The coherence checker: several export files against each other, from this server or from anywhere.

import { signal } from "@preact/signals";
import { announcement } from "../../core/announcement";
import { get, reason, send } from "../../server/client";
import { DropZone } from "../../ui/dropzone";
import { FaultList } from "../../ui/faultlist";
import { bytes, counted } from "../../ui/format";
import { kindOf } from "../api/kinds";
import { refresh, roleOf, runs } from "../runs/runs";

interface Place {
  file: string;
  row: number;
  line: number;
}

interface Result {
  files: { name: string; kind: string; rows: number }[];
  rules: { rule: string; outcome: "held" | "violated" | "not checkable" | "left out"; checked: number; violations: number; why?: string }[];
  violations: number;
  findings: (Place & { rule: string; message: string; other?: Place })[];
}

/** A file of the set, with the campaign, which the file itself does not name. */
interface Member {
  name: string;
  body: Blob;
  campaign: string;
}

const members = signal<readonly Member[]>([]);
const state = signal<{ now: "idle" | "working" } | { now: "done"; result: Result } | { now: "failed"; why: string }>({ now: "idle" });

function add(files: readonly File[]): void {
  const known = new Set(members.value.map((one) => one.name));
  const fresh = files.filter((file) => !known.has(file.name));
  members.value = [...members.value, ...fresh.map((file) => ({ name: file.name, body: file, campaign: "" }))];
}

/** How many of the exports made here are added, and how large their files may be. */
const mostRuns = 12;
const largest = 64 << 20;

async function addMade(): Promise<void> {
  try {
    await refresh();
    const made = (runs.value ?? []).filter((run) => roleOf(run) === "done").slice(0, mostRuns);
    for (const [i, run] of made.entries()) {
      const index = await get<{ size: number; parts: { link: string; number: number }[] }>(`/_mock/exports/${encodeURIComponent(run.id)}/index`);
      if (index.size > largest) continue;
      for (const part of index.parts) {
        const { pathname, search } = new URL(part.link);
        const body = await (await send(pathname + search)).blob();
        const name = `${i + 1}-${run.kind}${index.parts.length > 1 ? `-${part.number}` : ""}.${kindOf(run.kind).format.toLowerCase()}`;
        if (!members.value.some((one) => one.name === name)) members.value = [...members.value, { name, body, campaign: run.file.target ?? "" }];
      }
    }
    if (made.length === 0) state.value = { now: "failed", why: "No export has succeeded here yet: make some first." };
  } catch (error) {
    state.value = { now: "failed", why: reason(error) };
  }
}

async function check(): Promise<void> {
  state.value = { now: "working" };
  const form = new FormData();
  for (const { name, body, campaign } of members.value) {
    form.append("file", body, name);
    if (campaign.trim() !== "") form.append("campaign", `${name}=${campaign.trim()}`);
  }
  try {
    const result = await get<Result>("/_mock/check", { method: "POST", body: form });
    state.value = { now: "done", result };
    announcement.value = summary(result);
  } catch (error) {
    state.value = { now: "failed", why: reason(error) };
  }
}

function summary({ violations, rules }: Result): string {
  const held = rules.filter((rule) => rule.outcome === "held").length;
  if (violations === 0) return `The files agree: ${counted(held, "rule")} held.`;
  return `${counted(violations, "violation")}; ${counted(held, "rule")} held.`;
}

/** The panel of the checker. */
export function Coherence() {
  const now = state.value;
  const none = members.value.length === 0;
  return (
    <section class="card coherence" aria-labelledby="coherence-title">
      <h2 id="coherence-title">Do several files agree?</h2>
      <p class="note">
        Checks that a person keeps the same identifiers, that messages are sent before they are opened, that consent and dates match, and that windows meet.
      </p>
      <DropZone prompt="Drop several export files here" label="Files to check against each other" multiple onFiles={add}>
        {(choose) => (
          <div class="levers">
            <button type="button" class="secondary" onClick={choose}>
              Choose files
            </button>
            <button type="button" class="secondary" onClick={() => void addMade()}>
              Use the exports made here
            </button>
          </div>
        )}
      </DropZone>
      {members.value.length > 0 && (
        <ul class="members">
          {members.value.map((member) => (
            <li key={member.name}>
              <code>{member.name}</code> <span class="note">{bytes(member.body.size)}</span>
              <input
                class="mono"
                aria-label={`Campaign or group of ${member.name}`}
                placeholder="campaign, if any"
                value={member.campaign}
                onInput={(e) => {
                  const campaign = e.currentTarget.value;
                  members.value = members.value.map((one) => (one === member ? { ...one, campaign } : one));
                }}
              />
              <button type="button" class="quiet" aria-label={`Remove ${member.name}`} onClick={() => (members.value = members.value.filter((one) => one !== member))}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class={none ? "secondary" : "primary"} aria-disabled={now.now === "working" || none} onClick={() => !none && void check()}>
        {now.now === "working" ? "Checking …" : "Check them together"}
      </button>
      {none && <p class="note">Add files first.</p>}
      {now.now === "failed" && (
        <p class="refusal" role="alert">
          {now.why}
        </p>
      )}
      {now.now === "done" && <Outcome result={now.result} />}
    </section>
  );
}

function Outcome({ result }: { result: Result }) {
  return (
    <>
      <p class={`answer ${result.violations === 0 ? "good" : "bad"}`}>
        <strong>{summary(result)}</strong>{" "}
        <span class="note">
          {counted(result.files.length, "file")}, {counted(result.files.reduce((sum, file) => sum + file.rows, 0), "row")}.
        </span>
      </p>
      {result.findings.length > 0 && (
        <FaultList
          faults={result.findings.map(({ file, line, message, rule, other }) => ({
            place: `${file}, line ${line}`,
            message,
            rule: other ? `${rule}; see ${other.file}, line ${other.line}` : rule,
          }))}
        />
      )}
      <details class="fold">
        <summary>
          Rules <span class="note">{result.rules.length} of them, and what became of each</span>
        </summary>
        <dl class="columns">
          {result.rules.map((rule) => (
            <div key={rule.rule}>
              <dt>
                <code>{rule.rule}</code> <span class={`state ${{ held: "SUCCESS", violated: "ERROR" }[rule.outcome as string] ?? ""}`}>{rule.outcome}</span>{" "}
                <span class="note">{rule.checked.toLocaleString("en")} comparisons</span>
              </dt>
              {rule.why && <dd>{rule.why}</dd>}
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
