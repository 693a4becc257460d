// A field for code: a plain text field at once, the editor with completion and faults as soon as it is loaded.

import type { Extension } from "@codemirror/state";
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Editor } from "./editor";

/** A field for code. */
export function CodeField(props: {
  id: string;
  label: string;
  text: ReadonlySignal<string>;
  onChange(text: string): void;
  /** Loads what the text is. */
  language(): Promise<Extension>;
  /** Reads what faults depend on beside the text. */
  depends?(): unknown;
}) {
  const place = useRef<HTMLDivElement>(null);
  const state = useRef(signal<"loading" | "there" | "failed">("loading")).current;
  useEffect(() => {
    let editor: Editor | undefined;
    let gone = false;
    let stop = (): void => {};
    const begin = (): void => {
      Promise.all([import("./editor"), props.language()])
        .then(([{ mount }, language]) => {
          if (gone || !place.current) return;
          const typing = document.activeElement?.id === `${props.id}-plain`;
          editor = mount(place.current, { text: props.text.peek(), label: props.label, language, onChange: props.onChange });
          state.value = "there";
          if (typing) editor.focus();
          stop = effect(() => {
            props.depends?.();
            editor?.setText(props.text.value);
            editor?.recheck();
          });
        })
        .catch(() => (state.value = "failed"));
    };
    const idle = "requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 1500 }) : setTimeout(begin, 200);
    return () => {
      gone = true;
      if ("cancelIdleCallback" in window) cancelIdleCallback(idle);
      stop();
      editor?.destroy();
    };
  }, []);
  return (
    <div class="payload">
      {state.value !== "there" && (
        <textarea
          id={`${props.id}-plain`}
          class="mono"
          rows={props.text.value.split("\n").length}
          spellcheck={false}
          aria-label={props.label}
          value={props.text.value}
          onInput={(e) => props.onChange(e.currentTarget.value)}
        />
      )}
      <div ref={place} id={props.id} class="editor" hidden={state.value !== "there"} />
      {state.value === "failed" && (
        <p class="note">The editor could not be loaded. This plain field works just as well, without completion.</p>
      )}
    </div>
  );
}
