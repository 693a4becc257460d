// The fields of a form, each made from the schema of one member.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Schema } from "../../core/catalogue";
import { clock } from "../../server/clock";
import { Name } from "../../ui/parts";
import { isMoment, writeMoment } from "../api/kinds";
import { dateExample } from "../api/read";

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
  const { name, schema, required, fault } = props;
  const id = useId();
  if (schema.const !== undefined) return null;
  return (
    <fieldset class="member" aria-describedby={id} title={schema.description}>
      <legend>
        <code>{name}</code>
        {!required && <span class="note"> optional</span>}
      </legend>
      <p id={id} class="hidden">
        {schema.description}
      </p>
      {fieldOf(props)}
      {fault && <p class="refusal">{fault}</p>}
    </fieldset>
  );
}

function fieldOf(props: FieldProps): ComponentChildren {
  const { schema } = props;
  if (isMoment(schema)) return <Moment {...props} />;
  const known = schema.items?.enum ?? schema.items?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
  if (schema.type === "array") return <Choices {...props} options={known.map(String)} open={!schema.items?.enum} />;
  return schema.type === "object" ? <Part {...props} /> : <Text {...props} />;
}

const Line = (props: { label: string; value: string; placeholder?: string | undefined; onInput(text: string): void }) => (
  <input
    class="mono"
    aria-label={props.label}
    spellcheck={false}
    autocomplete="off"
    placeholder={props.placeholder}
    value={props.value}
    onInput={(e) => props.onInput(e.currentTarget.value)}
  />
);

function Choices({ value, required, options, open, onChange }: FieldProps & { options: readonly string[]; open: boolean }) {
  const given = Array.isArray(value) ? value.map(String) : [];
  const unlisted = given.filter((item) => !options.includes(item));
  const change = (next: readonly string[]): void => onChange(next.length === 0 && !required ? undefined : next);
  return (
    <>
      <div class={`choices ${options.length > 8 ? "many" : ""}`}>
        {options.map((option) => (
          <label key={option} class="tick">
            <input
              type="checkbox"
              checked={given.includes(option)}
              onChange={(e) => change([...options.filter((other) => (other === option ? e.currentTarget.checked : given.includes(other))), ...unlisted])}
            />
            <Name>{option}</Name>
          </label>
        ))}
      </div>
      {(open || unlisted.length > 0) && <Others given={unlisted} onChange={(others) => change([...options.filter((option) => given.includes(option)), ...others])} />}
    </>
  );
}

// A comma that was just typed must not vanish.
function Others({ given, onChange }: { given: readonly string[]; onChange(names: string[]): void }) {
  const [typed, setTyped] = useState(given.join(", "));
  const names = (text: string): string[] => [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  const type = (text: string): void => {
    setTyped(text);
    onChange(names(text));
  };
  const label = "Others, separated by commas";
  return <Line label={label} placeholder={label} value={names(typed).join() === given.join() ? typed : given.join(", ")} onInput={type} />;
}

const day = 24 * 3_600_000;

function Moment({ name, schema, value, onChange }: FieldProps) {
  const given = typeof value === "string" ? value : "";
  const ago = (days: number): void => {
    const now = clock.value.state === "known" ? clock.value.now.getTime() : Date.now();
    onChange(writeMoment(new Date(now - days * day + (days === 90 ? 60_000 : 0)), schema)); // inside of a lookback of 90 days
  };
  return (
    <div class="moment">
      <Line label={`${name}, a date and time in UTC`} placeholder={dateExample(schema)} value={given} onInput={onChange} />
      <button type="button" class="secondary" aria-pressed={given === "now"} onClick={() => onChange("now")}>
        now
      </button>
      {name === "from" &&
        [1, 7, 30, 90].map((days) => (
          <button key={days} type="button" class="quiet" title={`${days} days ago`} onClick={() => ago(days)}>
            −{days} d
          </button>
        ))}
    </div>
  );
}

function Part({ schema, value, onChange }: FieldProps) {
  const given = value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  return Object.entries<Schema>(schema.properties ?? {}).map(([name, { examples }]) => (
    <label key={name} class="field">
      <span>{name}</span>
      <Line
        label={name}
        placeholder={examples?.map(String).join(", ")}
        value={String(given[name] ?? "")}
        onInput={(text) => {
          const { [name]: _, ...rest } = given;
          const next = text === "" ? rest : { ...rest, [name]: text };
          onChange(Object.keys(next).length > 0 ? next : undefined);
        }}
      />
    </label>
  ));
}

// A text, or anything else as JSON.
function Text({ name, schema, value, onChange }: FieldProps) {
  const plain = schema.type === "string";
  const given = value === undefined ? "" : plain ? String(value) : JSON.stringify(value);
  return <Line label={name} placeholder={schema.examples?.map(String).join(", ")} value={given} onInput={(text) => onChange(read(text, plain))} />;
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
