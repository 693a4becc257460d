// Checks: a payload or a file, from this server or from anywhere, against a schema, with every fault where it is.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { announcement } from "../../core/announcement";
import { get, reason } from "../../server/client";
import { DropZone } from "../../ui/dropzone";
import { bytes, counted } from "../../ui/format";
import { catalog, kinds } from "../api/kinds";
import { enough, guess } from "./guess";

interface Fault {
  line: number;
  column: number;
  row: number;
  pointer: string;
  keyword: string;
  message: string;
}

interface Validation {
  schema: string;
  format: string;
  rows: number;
  single?: boolean;
  faults: number;
  complete: boolean;
  found: Fault[];
}

const schema = signal("");
const pasted = signal("");
const dropped = signal<File | undefined>(undefined);
const state = signal<
  { now: "idle" } | { now: "checking" } | { now: "done"; result: Validation; lines: ReadonlyMap<number, string> } | { now: "failed"; why: string }
>({ now: "idle" });

const nothing = computed(() => !dropped.value && pasted.value.trim() === "");

/** How much of a file is looked through for the lines that have faults. */
const searched = 64 << 20;

async function check(): Promise<void> {
  const body: Blob = dropped.value ?? new Blob([pasted.value]);
  const name = schema.value || guess(await body.slice(0, enough).text(), kinds(), catalog.value.outlines);
  if (!name) {
    state.value = { now: "failed", why: "The beginning does not tell what this is: choose a schema." };
    return;
  }
  state.value = { now: "checking" };
  try {
    const query = new URLSearchParams({ schema: name, max_faults: "500" });
    const result = await get<Validation>(`/_mock/validate?${query}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body,
    });
    const lines = await linesOf(body, new Set(result.found.map((fault) => fault.line)));
    state.value = { now: "done", result, lines };
    announcement.value = summary(result);
  } catch (error) {
    state.value = { now: "failed", why: reason(error) };
  }
}

// The lines with faults, out of as much of the file as can be looked through quickly.
async function linesOf(body: Blob, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  if (wanted.size === 0) return found;
  const text = await body.slice(0, searched).text();
  let line = 1;
  for (let at = 0; at <= text.length && found.size < wanted.size; line++) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    if (wanted.has(line)) found.set(line, text.slice(at, stop));
    at = stop + 1;
  }
  return found;
}

function summary({ faults, complete, rows, single }: Validation): string {
  const what = single ? "the payload" : counted(rows, "row");
  if (faults === 0) return `No faults in ${what}.`;
  return `${counted(faults, "fault")} in ${what}${complete ? "" : "; there may be more behind them"}.`;
}

/** The view of the checks. */
export function Validate() {
  return (
    <div class="validate">
      <div class="intro">
        <h1>
          Check what you have <span>against the schemas.</span>
        </h1>
        <p>Paste a payload you send, or drop a file you received, from this server or the real service.</p>
      </div>
      <div class="checks">
        <Source />
        <Result />
      </div>
    </div>
  );
}

function Source() {
  const take = (file: File | undefined): void => {
    if (!file) return;
    dropped.value = file;
    void check();
  };
  return (
    <section class="card source-panel" aria-labelledby="check-title">
      <h2 id="check-title">What to check</h2>
      <label class="field">
        <span>Check as</span>
        <select value={schema.value} onChange={(e) => (schema.value = e.currentTarget.value)}>
          <option value="">detect automatically</option>
          <optgroup label="Files of exports">
            {kinds().map((kind) => (
              <option key={kind.kind} value={kind.kind}>
                {kind.kind}, {kind.format}
              </option>
            ))}
          </optgroup>
          <optgroup label="Payloads and answers">
            {catalog.value.outlines
              .filter(({ kind }) => kind === "")
              .map(({ name, title }) => (
                <option key={name} value={name}>
                  {name}: {title}
                </option>
              ))}
          </optgroup>
        </select>
      </label>
      <DropZone prompt="Drop a file here, of any size" label="A file to check" onFiles={([file]) => take(file)}>
        {(choose) => (
          <>
            <button type="button" class="secondary" onClick={choose}>
              Choose a file
            </button>
            {dropped.value && (
              <p class="note">
                {dropped.value.name}, {bytes(dropped.value.size)}{" "}
                <button type="button" class="quiet" onClick={() => (dropped.value = undefined)}>
                  Remove
                </button>
              </p>
            )}
          </>
        )}
      </DropZone>
      <label class="field">
        <span>Or paste it</span>
        <textarea
          class="mono"
          rows={10}
          spellcheck={false}
          disabled={dropped.value !== undefined}
          placeholder={'{ "from": "now", … }  or  install_id;custom_id;…'}
          value={pasted.value}
          onInput={(e) => (pasted.value = e.currentTarget.value)}
        />
      </label>
      <button type="button" class="primary" aria-disabled={state.value.now === "checking" || nothing.value} onClick={() => !nothing.value && void check()}>
        {state.value.now === "checking" ? "Checking …" : "Check it"}
      </button>
      <p class="note">{nothing.value ? "Drop, choose or paste something first." : "Nothing leaves your machine."}</p>
    </section>
  );
}

function Result() {
  const now = state.value;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the panel stands below the form, what was found is brought to whoever asked for it.
    if (["done", "failed"].includes(now.now) && panel.current!.getBoundingClientRect().top > innerHeight * 0.7) panel.current!.scrollIntoView();
  }, [now]);
  return (
    <section class="card result-panel" aria-labelledby="result-title" ref={panel}>
      <h2 id="result-title">What the schema says</h2>
      {now.now === "idle" && <p class="empty">Every fault will appear here, with its line, its column and what is allowed instead.</p>}
      {now.now === "checking" && <p class="note">Reading …</p>}
      {now.now === "failed" && (
        <p class="refusal" role="alert">
          {now.why}
        </p>
      )}
      {now.now === "done" && (
        <>
          <p class={`answer ${now.result.faults === 0 ? "good" : "bad"}`}>
            <strong>{summary(now.result)}</strong> <span class="note">Checked as {now.result.schema}.</span>
          </p>
          <ol class="faultlist">
            {now.result.found.map(({ line, column, message, keyword }, i) => (
              <li key={i}>
                <p>
                  <span class="place">
                    line {line}, column {column}
                  </span>{" "}
                  {message} <span class="note">({keyword})</span>
                </p>
                <Line text={now.lines.get(line)} column={column} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

// Columns count bytes, so that any tool finds the place; here the character is marked that begins there.
function Line({ text, column }: { text: string | undefined; column: number }) {
  if (text === undefined) return null;
  const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, column - 1));
  const from = Math.max(0, before.length - 60);
  const rest = text.slice(before.length);
  const end = /^"(?:[^"\\]|\\.)*"?|^[^;,\]}\r\n]+|^./.exec(rest)?.[0] ?? "";
  return (
    <pre class="faulty" aria-hidden="true">
      {from > 0 && "…"}
      {text.slice(from, before.length)}
      <mark>{end.slice(0, 80) || " "}</mark>
      {rest.slice(end.length, end.length + 80)}
      {rest.length > end.length + 80 && "…"}
    </pre>
  );
}
