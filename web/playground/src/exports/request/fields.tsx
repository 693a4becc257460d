// The fields of a form, each made from the schema of one member.

import { useId, useState } from "preact/hooks";
import type { Schema } from "../../core/catalogue";
import { clock, weekBefore } from "../../server/clock";
import { Name } from "../../ui/parts";
import { isMoment, writeMoment } from "../api/kinds";

/** What a field is for. */
export interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  required: boolean;
  fault: string;
  onChange(value: unknown): void;
}

/** The field for a member, or nothing for one that the schema fixes. */
export function Field(props: FieldProps) {
  const { schema } = props;
  if (schema.const !== undefined) return null;
  if (isMoment(schema)) return <Moment {...props} />;
  if (schema.type === "array" && schema.items?.enum) return <Choices {...props} options={schema.items.enum.map(String)} />;
  const known = schema.items?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
  if (schema.type === "array") return <Choices {...props} options={known.map(String)} open />;
  if (schema.type === "object") return <Part {...props} />;
  return <Text {...props} />;
}

function Frame(props: FieldProps & { id: string; children: preact.ComponentChildren }) {
  return (
    <fieldset class="member" aria-describedby={`${props.id}-about`}>
      <legend>
        <code>{props.name}</code>
        {!props.required && <span class="note"> optional</span>}
      </legend>
      <p id={`${props.id}-about`} class="note about">
        {props.schema.description}
      </p>
      {props.children}
      {props.fault && <p class="refusal">{props.fault}</p>}
    </fieldset>
  );
}

function Choices(props: FieldProps & { options: readonly string[]; open?: boolean }) {
  const id = useId();
  const given = Array.isArray(props.value) ? props.value.map(String) : [];
  const unlisted = given.filter((item) => !props.options.includes(item));
  const change = (next: readonly string[]): void => props.onChange(next.length === 0 && !props.required ? undefined : next);
  return (
    <Frame {...props} id={id}>
      <div class={`choices ${props.options.length > 8 ? "many" : ""}`}>
        {props.options.map((option) => (
          <label key={option} class="tick">
            <input
              type="checkbox"
              checked={given.includes(option)}
              onChange={(e) =>
                change([...props.options.filter((other) => (other === option ? e.currentTarget.checked : given.includes(other))), ...unlisted])
              }
            />
            <Name>{option}</Name>
          </label>
        ))}
      </div>
      {(props.open || unlisted.length > 0) && (
        <Others given={unlisted} onChange={(others) => change([...props.options.filter((option) => given.includes(option)), ...others])} />
      )}
    </Frame>
  );
}

// What is typed is kept as it is typed: a comma that was just typed must not vanish.
function Others({ given, onChange }: { given: readonly string[]; onChange(names: string[]): void }) {
  const [typed, setTyped] = useState(given.join(", "));
  const names = (text: string): string[] => [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  const shown = names(typed).join() === given.join() ? typed : given.join(", ");
  return (
    <label class="field">
      <span>Others, separated by commas</span>
      <input
        class="mono"
        spellcheck={false}
        autocomplete="off"
        value={shown}
        onInput={(e) => {
          setTyped(e.currentTarget.value);
          onChange(names(e.currentTarget.value));
        }}
      />
    </label>
  );
}

const back = [
  [1, "1 day ago"],
  [7, "7 days ago"],
  [30, "30 days ago"],
  [90, "90 days ago"],
] as const;

function Moment(props: FieldProps) {
  const id = useId();
  const given = typeof props.value === "string" ? props.value : "";
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/.exec(given)?.[0] ?? "";
  const now = clock.value.state === "known" ? clock.value.now : new Date(weekBefore(new Date()) + "Z");
  return (
    <Frame {...props} id={id}>
      <div class="moment">
        <label class="field">
          <span class="hidden">{props.name}, a date and time in UTC</span>
          <input
            type="datetime-local"
            step={1}
            value={local}
            aria-invalid={props.fault !== ""}
            onInput={(e) => {
              const typed = e.currentTarget.value;
              if (typed) props.onChange(writeMoment(new Date(`${typed}Z`), props.schema));
            }}
          />
        </label>
        <span class="note">UTC</span>
        <button type="button" class="secondary" aria-pressed={given === "now"} onClick={() => props.onChange("now")}>
          now
        </button>
        {props.name === "from" &&
          back.map(([days, label]) => (
            <button
              key={days}
              type="button"
              class="quiet"
              onClick={() => props.onChange(writeMoment(new Date(now.getTime() - days * 24 * 3600 * 1000 + (days === 90 ? 60_000 : 0)), props.schema))}
            >
              {label}
            </button>
          ))}
      </div>
    </Frame>
  );
}

function Part(props: FieldProps) {
  const id = useId();
  const given = props.value !== null && typeof props.value === "object" ? (props.value as Record<string, unknown>) : {};
  return (
    <Frame {...props} id={id}>
      {Object.entries<Schema>(props.schema.properties ?? {}).map(([name, schema]) => (
        <label key={name} class="field">
          <span>{name}</span>
          <input
            class="mono"
            spellcheck={false}
            autocomplete="off"
            placeholder={schema.examples?.map(String).join(", ")}
            value={String(given[name] ?? "")}
            onInput={(e) => {
              const { [name]: _, ...rest } = given;
              const next = e.currentTarget.value === "" ? rest : { ...rest, [name]: e.currentTarget.value };
              props.onChange(Object.keys(next).length > 0 ? next : undefined);
            }}
          />
        </label>
      ))}
    </Frame>
  );
}

// What the form has no better field for is written as it is: a text, or anything else as JSON.
function Text(props: FieldProps) {
  const id = useId();
  const plain = props.schema.type === "string";
  const given = props.value === undefined ? "" : plain ? String(props.value) : JSON.stringify(props.value);
  return (
    <Frame {...props} id={id}>
      <input
        class="mono"
        aria-label={props.name}
        spellcheck={false}
        autocomplete="off"
        placeholder={props.schema.examples?.map(String).join(", ")}
        value={given}
        onInput={(e) => props.onChange(read(e.currentTarget.value, plain))}
      />
    </Frame>
  );
}

function read(text: string, plain: boolean): unknown {
  if (text === "") return undefined;
  if (plain) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
