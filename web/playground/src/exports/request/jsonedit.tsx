// The payload as JSON: a plain text field at once, the editor with completion and faults as soon as it is loaded.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Editor } from "../../editor/editor";
import { chosenKind, kind, setText, text } from "./draft";
import { requestGuide } from "./guide";

const failed = signal(false);

/** The field for the payload. */
export function JsonEdit() {
  const place = useRef<HTMLDivElement>(null);
  const there = useRef(signal(false)).current;
  useEffect(() => {
    let editor: Editor | undefined;
    let gone = false;
    let stop = (): void => {};
    import("../../editor/editor")
      .then(({ mount }) => {
        if (gone || !place.current) return;
        editor = mount(place.current, {
          text: text.peek(),
          label: "Payload as JSON",
          describedBy: "payload-title",
          guide: requestGuide(() => kind.peek()),
          onChange: setText,
        });
        there.value = true;
        stop = effect(() => {
          void chosenKind.value;
          editor?.setText(text.value);
          editor?.recheck();
        });
      })
      .catch(() => (failed.value = true));
    return () => {
      gone = true;
      stop();
      editor?.destroy();
    };
  }, []);
  return (
    <div class="payload">
      {!there.value && (
        <textarea
          class="mono"
          rows={9}
          spellcheck={false}
          aria-label="Payload as JSON"
          value={text.value}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      )}
      <div ref={place} class="editor" hidden={!there.value} />
      {failed.value && <p class="note">The editor could not be loaded. This plain field works all the same, without completion.</p>}
    </div>
  );
}
