// A request of the journal once more, changed: its path, its headers and its payload.

import { useState } from "preact/hooks";
import { authHeaders } from "../api/credentials";
import { sendAgain, type Request } from "./log";

/** What stands for a credential, as in the journal, which has none: the page sends its own. */
const masked = "[redacted]";

type Own = ReadonlyMap<string, string>;

const ownOf = (one: Request): Own => new Map(authHeaders({ interface: one.interface ?? "" }).map(([name, value]) => [name.toLowerCase(), value]));

// What the journal knows of the headers: those with credentials, that a payload is JSON, and the scenario that one asked for.
function linesOf(one: Request): string {
  const asked = one.applied?.find(({ source }) => source === "header");
  return [
    ...authHeaders({ interface: one.interface ?? "" }).map(([name]) => `${name}: ${masked}`),
    ...(one.method === "GET" ? [] : ["Content-Type: application/json"]),
    ...(asked ? [`X-Mock-Scenario: ${asked.scenario}`] : []),
  ].join("\n");
}

/** The headers that are written, a line each; or what is wrong with one. */
function headersIn(text: string, own: Own): Headers | string {
  const headers = new Headers();
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === "") return `the header “${line.trim()}” is no name, colon and value`;
    const sent = value.trim() === masked ? own.get(name.toLowerCase()) : value.trim();
    if (sent === undefined) return `the header ${name} has a value that the journal left out, and the page has none of its own: write one`;
    try {
      headers.append(name, sent);
    } catch {
      return `the header ${name} has a character that headers cannot have`;
    }
    // A request leaves out, and says nothing, what a browser keeps to itself.
    if (!new Request(location.origin, { headers }).headers.has(name)) return `the header ${name} is set by the browser alone: use a shell for it`;
  }
  return headers;
}

/** The form that sends a request again. */
export function Again({ one }: { one: Request }) {
  const [target, setTarget] = useState(one.path + (one.query ? `?${one.query}` : ""));
  const [lines, setLines] = useState(linesOf(one));
  const [body, setBody] = useState(one.body ?? "");
  const headers = headersIn(lines, ownOf(one));
  const badTarget = !target.startsWith("/") || target.startsWith("//");
  const obstacle = badTarget ? "the path begins with a slash" : typeof headers === "string" ? headers : "";
  return (
    <form
      class="resend"
      onSubmit={(e) => {
        e.preventDefault();
        if (!badTarget && typeof headers !== "string") void sendAgain(one.method, target, headers, body);
      }}
    >
      <h3>Change it and send it again</h3>
      <label class="field">
        <span>{one.method}, path and query</span>
        <input class="mono" spellcheck={false} autocomplete="off" value={target} aria-invalid={badTarget} onInput={(e) => setTarget(e.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Headers, one a line</span>
        <textarea class="mono" rows={3} spellcheck={false} value={lines} aria-invalid={typeof headers === "string"} onInput={(e) => setLines(e.currentTarget.value)} />
      </label>
      {one.method !== "GET" && (
        <label class="field">
          <span>Payload</span>
          <textarea class="mono" rows={4} spellcheck={false} value={body} onInput={(e) => setBody(e.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="primary" aria-disabled={obstacle !== ""}>
        Send {one.method} again
      </button>
      <p class={obstacle ? "refusal" : "note"}>
        {obstacle ? `Cannot be sent: ${obstacle}.` : `The credentials of the request form are sent where ${masked} stands.`}
      </p>
    </form>
  );
}
