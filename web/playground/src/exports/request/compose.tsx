// The request: choose an export, fill its form or its JSON, pick a scenario, send it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { encodeJson } from "../../core/base64url";
import type { Schema } from "../../core/catalogue";
import { Refusal } from "../../server/client";
import { counted } from "../../ui/format";
import { CopyButton, Segmented } from "../../ui/parts";
import { credentials } from "../api/credentials";
import { demo } from "../api/demo";
import { kinds, parametersOf, spokenBy } from "../api/kinds";
import { chosen, chosenKind, draft, keptAs, kind, obstacle, parameters, prepared, reset, setMember, value } from "./draft";
import { Field } from "./fields";
import { JsonEdit } from "./jsonedit";
import { faults, judge } from "./judge";
import { Scenario } from "./scenariopanel";
import { submission, submit } from "./submit";

const mode = signal<"form" | "json">("form");

/** The panel in which a request is made. */
export function Compose() {
  useEffect(judge, []);
  const { summary, lookback, lookbackPolicy, format } = kind.value;
  return (
    <section class="compose card" id="compose" tabIndex={-1} aria-labelledby="compose-title">
      <div class="bar">
        <h2 id="compose-title">Request</h2>
        <CopyButton text={() => `${location.origin}${location.pathname}#exports/make/${encodeJson(draft())}`} what="The link to this request">
          Copy link
        </CopyButton>
      </div>
      <label class="field">
        <span>Kind</span>
        <select id="kind" value={chosenKind.value} onChange={(e) => (chosen.value = e.currentTarget.value)}>
          {[...new Set(kinds().map((one) => one.interface))].map((side) => (
            <optgroup key={side} label={`${kinds().find((one) => one.interface === side)?.format} files, version ${spokenBy(side)?.version ?? ""}`}>
              {kinds()
                .filter((one) => one.interface === side)
                .map((one) => (
                  <option key={one.kind} value={one.kind}>
                    {one.kind}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p class="about">
        {summary} {format}, {lookback === "snapshot" ? "a snapshot" : `events of the last ${lookback}`}
        {lookbackPolicy === "clip" && "; what is older is left out"}
        {lookbackPolicy === "refuse" && "; a window that begins before is refused"}.
      </p>
      <Places />
      <div class="bar">
        <h3 id="payload-title">Payload</h3>
        <span class="tools">
          <button type="button" class="quiet" onClick={reset}>
            Example
          </button>
          <Segmented
            legend="How to write the payload"
            hideLegend
            value={mode.value}
            options={[
              ["form", "Form"],
              ["json", "JSON"],
            ]}
            onChange={(next) => (mode.value = next)}
          />
        </span>
      </div>
      {mode.value === "form" ? <Form /> : <JsonEdit />}
      <Faults />
      <Scenario />
      <Credentials />
      <Send />
    </section>
  );
}

function Places() {
  const names = parametersOf(kind.value.path);
  if (names.length === 0) return null;
  return (
    <div class="places">
      {names.map((name) => (
        <label key={name} class="field">
          <span>{name}</span>
          <input
            class="mono"
            spellcheck={false}
            autocomplete="off"
            list={keptAs(name) === "api_key" ? "api-keys" : undefined}
            value={parameters.value[keptAs(name)] ?? ""}
            aria-invalid={!parameters.value[keptAs(name)]?.trim()}
            onInput={(e) => (parameters.value = { ...parameters.value, [keptAs(name)]: e.currentTarget.value })}
          />
        </label>
      ))}
      <datalist id="api-keys">
        <option value={demo.application} />
        <option value={demo.development} />
      </datalist>
    </div>
  );
}

function Form() {
  const now = value.value;
  if (!now.ok) {
    return (
      <p class="refusal">
        The payload is not valid JSON, so there is no form for it: {now.message}. Fix the JSON, or start over from the example.
      </p>
    );
  }
  const found = faults.value;
  const { schema } = kind.value;
  return (
    <div class="form" key={chosenKind.value}>
      {Object.entries<Schema>(schema.properties ?? {}).map(([name, member]) => (
        <Field
          key={name}
          name={name}
          schema={member}
          value={now.value[name]}
          required={schema.required?.includes(name) ?? false}
          fault={found.find((fault) => fault.path[0] === name)?.message ?? ""}
          onChange={(next) => setMember(name, next)}
        />
      ))}
    </div>
  );
}

// What no field of the form shows.
function Faults() {
  const now = value.value;
  const known = Object.keys(kind.value.schema.properties ?? {});
  const rest = faults.value.filter((fault) => mode.value === "json" || !known.includes(String(fault.path[0])));
  const lines = now.ok ? rest.map((fault) => fault.message) : mode.value === "json" ? [now.message] : [];
  if (lines.length === 0) return null;
  return (
    <ul class="faults" aria-label="What the schema says">
      {lines.map((line) => (
        <li key={line} class="refusal">
          {line}
        </li>
      ))}
    </ul>
  );
}

function Credentials() {
  const { company, project, token } = credentials.value;
  const fields =
    spokenBy(kind.value.interface)?.keyVariable
      ? ([["company", "Company key", company]] as const)
      : ([
          ["token", "Access token", token],
          ["project", "Project key", project],
        ] as const);
  return (
    <details class="fold">
      <summary>
        Credentials <span class="note">demo keys, unless you started the server with your own</span>
      </summary>
      <div class="places">
        {fields.map(([name, label, held]) => (
          <label key={name} class="field">
            <span>{label}</span>
            <input
              class="mono"
              spellcheck={false}
              autocomplete="off"
              value={held}
              onInput={(e) => (credentials.value = { ...credentials.value, [name]: e.currentTarget.value })}
            />
          </label>
        ))}
      </div>
    </details>
  );
}

function Send() {
  const now = submission.value;
  const faulty = faults.value.length > 0 || !value.value.ok;
  return (
    <div class="send">
      {/* Above the button, which is held at the foot: it stays where the finger is. */}
      <div class="said">
        {obstacle.value ? (
          <p class="refusal">Cannot be sent yet: {obstacle.value}.</p>
        ) : ["none", "sending"].includes(now.state) && faulty ? (
          <p class="note">The server will refuse this. Send it to see the error.</p>
        ) : (
          ["none", "sending"].includes(now.state) && (
            <p class="note">
              <code>
                {prepared.value.method} {prepared.value.path}
              </code>
            </p>
          )
        )}
        {now.state === "accepted" && (
          <p class="answer good" role="status">
            <strong>{now.status}</strong> <code>{now.body.trim()}</code>
          </p>
        )}
        {now.state === "refused" && (
          <div class="answer bad" role="status">
            <p>
              <strong>{now.error instanceof Refusal ? `${now.error.status} ${now.error.code}` : "No answer"}</strong>{" "}
              {now.error.message}
            </p>
            {now.error instanceof Refusal && now.error.retryAfter !== undefined && (
              <p class="note">Retry-After: {counted(now.error.retryAfter, "second")}</p>
            )}
          </div>
        )}
      </div>
      <button type="button" class="primary" aria-disabled={obstacle.value !== "" || now.state === "sending"} onClick={() => void submit()}>
        {now.state === "sending" ? "Sending …" : "Send the request"}
      </button>
    </div>
  );
}
