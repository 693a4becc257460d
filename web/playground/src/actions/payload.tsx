// The field for the arguments: a plain text field at once, the real editor as soon as it is loaded.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Editor } from "../editor/editor";
import { custom, identifier, text } from "../sessions/state";

/** The editor, once there is one. */
const editor = signal<Editor | undefined>(undefined);
const failed = signal(false);

/** Puts the focus where the arguments are typed. */
export function focusPayload(): void {
  if (editor.value) editor.value.focus();
  else document.getElementById("payload")?.focus();
}

/** The field for the arguments. */
export function Payload() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let gone = false;
    const begin = (): void => {
      import("../editor/editor")
        .then(({ actionGuide, mount }) => {
          if (gone || !place.current) return;
          const typing = document.activeElement?.id === "payload";
          editor.value = mount(place.current, {
            text: text.value,
            label: "Arguments as JSON",
            describedBy: "payload-hint",
            guide: actionGuide({
              identifier: () => identifier.value,
              own: () => custom.value.map((action) => action.name),
            }),
            onChange: (changed) => (text.value = changed),
          });
          if (typing) editor.value.focus();
        })
        .catch(() => (failed.value = true));
    };
    const idle = "requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 1500 }) : setTimeout(begin, 200);
    const stop = effect(() => {
      editor.value?.setText(text.value);
    });
    const check = effect(() => {
      void identifier.value;
      editor.value?.recheck();
    });
    return () => {
      gone = true;
      if ("cancelIdleCallback" in window) cancelIdleCallback(idle);
      stop();
      check();
      editor.value?.destroy();
      editor.value = undefined;
    };
  }, []);
  return (
    <div class="payload">
      {!editor.value && (
        <textarea
          id="payload"
          class="mono"
          rows={7}
          spellcheck={false}
          aria-label="Arguments as JSON"
          value={text.value}
          onInput={(e) => (text.value = e.currentTarget.value)}
        />
      )}
      <div ref={place} class="editor" hidden={!editor.value} />
      {failed.value && (
        <p class="note">The editor could not be loaded. This plain field works all the same, without completion.</p>
      )}
    </div>
  );
}
