// A place to drop files on, or to choose them.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

/** The place. `children` is given a function that opens the file dialog. */
export function DropZone(props: {
  prompt: ComponentChildren;
  /** What the file dialog is for, to screen readers. */
  label: string;
  onFiles(files: readonly File[]): void;
  children(choose: () => void): ComponentChildren;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => props.onFiles([...(files ?? [])]);
  return (
    <div
      class={`drop ${over ? "over" : ""}`}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        take(e.dataTransfer?.files);
      }}
    >
      <p>{props.prompt}</p>
      {props.children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={props.label}
        onChange={(e) => take(e.currentTarget.files)}
      />
    </div>
  );
}
