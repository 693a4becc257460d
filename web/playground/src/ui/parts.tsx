// Small parts that several views share.

import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { announcement } from "../core/announcement";

/** One choice out of a few, as a row of radio buttons. */
export function Segmented<T extends string>(props: {
  legend: string;
  hideLegend?: boolean;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class={props.hideLegend ? "hidden" : ""}>{props.legend}</legend>
      <div class="segments">
        {props.options.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={props.value === value}
              onChange={() => props.onChange(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A labelled choice from a list. */
export function Select<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  onChange(value: T): void;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(e) => props.onChange(e.currentTarget.value as T)}>
        {props.options.map(([value, label]) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A labelled box to tick. */
export function Tick(props: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={props.checked} onChange={(e) => props.onChange(e.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}

/** Copies a text to the clipboard; says so on itself and aloud. */
export function CopyButton(props: {
  text(): string;
  what: string;
  class?: string;
  children: ComponentChildren;
}) {
  const [said, say] = useState("");
  const timer = useRef<number | undefined>(undefined);
  const copy = async (): Promise<void> => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(props.text());
    } catch {
      const reason = navigator.clipboard ? "the browser refused" : "no clipboard on this address";
      done = `Not copied: ${reason}`;
    }
    say(done);
    announcement.value = `${props.what}: ${done.toLowerCase()}.`;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => say(""), done.startsWith("Not") ? 5000 : 1800);
  };
  return (
    <button type="button" class={props.class ?? "quiet"} onClick={() => void copy()}>
      {said || props.children}
    </button>
  );
}

/** An identifier, which breaks after a dot or an underscore when it has to. */
export function Name({ children }: { children: string }) {
  const parts: ComponentChildren[] = children.split(/(?<=[._])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr />, part]));
  return <code>{parts}</code>;
}

/** Whether the keyboard has a command key. */
const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** The name of the key that goes with shortcuts here. */
export const modifier = isMac ? "⌘" : "Ctrl";

/** The arrow keys go through a list, of which Tab reaches one. `stops` selects what can have the focus. */
export function walk(event: KeyboardEvent & { currentTarget: HTMLElement }, stops: string): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.isComposing) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(stops)];
  const at = all.indexOf(event.target as HTMLElement);
  const next = at < 0 ? undefined : all[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
