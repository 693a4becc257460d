// The request: choose an export, fill its form or its JSON, pick a scenario, send it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { encodeJson } from "../../core/base64url";
import type { Schema } from "../../core/catalogue";
import { curl } from "../../core/request";
import { CodeField } from "../../editor/field";
import { server } from "../../server/address";
import { Command } from "../../ui/command";
import { CopyButton, Segmented } from "../../ui/parts";
import { credentials } from "../api/credentials";
import { demo } from "../api/demo";
import { kinds, nameOf, spokenBy } from "../api/kinds";
import { apart, chosen, chosenKind, draft, keptAs, kind, obstacle, parameters, prepared, reset, setMember, setText, text, value } from "./draft";
import { Field } from "./fields";
import { faults, judge, requestGuide } from "./guide";
import { Scenario } from "./scenario";
import { submission, submit } from "./submit";

const mode = signal<"form" | "json" | "curl">("form");

const language = () => import("../../editor/json").then(({ json }) => json(requestGuide));

/** The panel in which a request is made. */
export function Compose() {
  useEffect(judge, []);
  const { summary, lookback, lookbackPolicy, format, container } = kind.value;
  return (
    <section class="compose card" id="compose" tabIndex={-1} aria-labelledby="compose-title">
      <div class="bar">
        <h2 id="compose-title">Request</h2>
        <CopyButton text={() => `${location.origin}${location.pathname}#exports/make/${encodeJson(draft())}`} what="The link to this request">
          Copy link
        </CopyButton>
      </div>
      <select id="kind" aria-label="Kind" value={chosenKind.value} onChange={(e) => (chosen.value = e.currentTarget.value)}>
        {[...new Set(kinds().map((one) => one.interface))].map((side) => (
          <optgroup key={side} label={`${kinds().find((one) => one.interface === side)?.format} files, version ${spokenBy(side)?.version ?? ""}`}>
            {kinds()
              .filter((one) => one.interface === side)
              .map((one) => (
                <option key={one.kind} value={one.kind}>
                  {nameOf(one)} ({one.kind})
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <p class="about">
        {summary} {format}{container && ` in ${container}`}, {lookback === "snapshot" ? "a snapshot" : `events of the last ${lookback}`}
        {{ clip: "; what is older is left out", refuse: "; a window that begins before is refused", "": "" }[lookbackPolicy]}.
      </p>
      <Places />
      <div class="bar">
        <Segmented
          legend="How to write the payload"
          hideLegend
          value={mode.value}
          options={[
            ["form", "Form"],
            ["json", "JSON"],
            ["curl", "curl"],
          ]}
          onChange={(next) => (mode.value = next)}
        />
        <button type="button" class="quiet" onClick={reset}>
          Example
        </button>
      </div>
      {mode.value === "form" && <Form />}
      {mode.value === "json" && <CodeField id="request" label="Payload as JSON" text={text} onChange={setText} language={language} depends={() => chosenKind.value} />}
      {mode.value === "curl" && <Command label="The request as curl" text={curl(prepared.value, server())} />}
      <Faults />
      <Credentials />
      <div class="send">
        {obstacle.value && <p class="refusal">Cannot be sent yet: {obstacle.value}.</p>}
        <Scenario />
        <button type="button" class="primary" aria-disabled={obstacle.value !== "" || submission.value.state === "sending"} onClick={() => void submit()}>
          {submission.value.state === "sending" ? "Sending …" : "Send the request"}
        </button>
      </div>
    </section>
  );
}

/** A line to type into. */
const Line = (props: { name: string; value: string; list?: string; onInput(value: string): void }) => (
  <label class="field">
    <span>{props.name}</span>
    <input
      class="mono"
      spellcheck={false}
      autocomplete="off"
      list={props.list}
      value={props.value}
      aria-invalid={props.value.trim() === ""}
      onInput={(e) => props.onInput(e.currentTarget.value)}
    />
  </label>
);

function Places() {
  return (
    <div class="places">
      {apart(kind.value).map((name) => {
        const kept = keptAs(name);
        const change = (text: string): void => void (parameters.value = { ...parameters.value, [kept]: text });
        return <Line key={name} name={name} value={parameters.value[kept] ?? ""} {...(kept === "api_key" && { list: "api-keys" })} onInput={change} />;
      })}
      <datalist id="api-keys">
        <option value={demo.application} />
        <option value={demo.development} />
      </datalist>
    </div>
  );
}

function Form() {
  const now = value.value;
  if (!now.ok) return <p class="refusal">The payload is not valid JSON, so there is no form for it: {now.message}. Fix the JSON, or start over from the example.</p>;
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
          fault={faults.value.find((fault) => fault.path[0] === name)?.message ?? ""}
          onChange={(next) => setMember(name, next)}
        />
      ))}
    </div>
  );
}

// The faults that no field of the form shows. They may be sent: the error of the server is worth seeing.
function Faults() {
  const known = Object.keys(kind.value.schema.properties ?? {});
  const rest = faults.value.filter((fault) => mode.value !== "form" || !known.includes(String(fault.path[0])));
  const lines = value.value.ok ? rest.map((fault) => fault.message) : mode.value === "form" ? [] : [value.value.message];
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
  const names = spokenBy(kind.value.interface)?.keyVariable ? ({ company: "Company key" } as const) : ({ token: "Access token", project: "Project key" } as const);
  return (
    <details class="fold">
      <summary>
        Credentials <span class="note">demo keys, unless the server was started with others</span>
      </summary>
      <div class="places">
        {Object.entries(names).map(([member, label]) => (
          <Line
            key={member}
            name={label}
            value={credentials.value[member as keyof typeof demo & keyof typeof credentials.value]}
            onInput={(text) => (credentials.value = { ...credentials.value, [member]: text })}
          />
        ))}
      </div>
    </details>
  );
}
