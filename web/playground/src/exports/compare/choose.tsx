// What a file is compared with: another export of its kind, or a file on this machine.

import { useEffect, useRef, useState } from "preact/hooks";
import { Later } from "../../ui/later";
import { ExportFile } from "../file/file";
import { LocalFile } from "../file/localfile";

/** An export that a file may be compared with. */
export interface Candidate {
  id: string;
  name: string;
  request: Record<string, unknown>;
}

type Other = { file: ExportFile; name: string; state: "opening" | "open" | Error };

/** Lets one choose, and shows the comparison. */
export function Choose({ file, name, candidates }: { file: ExportFile; name: string; candidates: readonly Candidate[] }) {
  const [other, setOther] = useState<Other | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const take = (next: ExportFile, called: string): void => {
    const now: Other = { file: next, name: called, state: "opening" };
    const become = (state: Other["state"]): void => setOther((is) => (is?.file === next ? { ...now, state } : is));
    setOther(now);
    next.open().then(
      () => become("open"),
      (error: unknown) => become(error instanceof Error ? error : new Error(String(error))),
    );
  };
  const change = (value: string): void => {
    const one = candidates.find(({ id }) => id === value);
    if (one) take(new ExportFile(one.id, file.kind, one.request), one.name);
    else setOther(undefined);
  };
  useEffect(() => () => other?.file.close(), [other?.file]);
  return (
    <div class="compare">
      <div class="with">
        <label>
          <span>Compare with</span>
          <select value={other?.file.id ?? ""} onChange={(e) => change(e.currentTarget.value)} disabled={candidates.length === 0}>
            <option value="">{candidates.length === 0 ? "no other export of this kind yet" : other && !other.file.shared ? other.name : "another export …"}</option>
            {candidates.map(({ id, name: called }) => (
              <option key={id} value={id} selected={id === other?.file.id}>
                {called}
              </option>
            ))}
          </select>
        </label>
        <button type="button" ref={button} class="secondary" onClick={() => input.current?.click()}>
          A file of yours
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="The other file"
          onChange={(e) => {
            const [chosen] = e.currentTarget.files ?? [];
            if (chosen) take(new LocalFile(chosen, file.kind), chosen.name);
            e.currentTarget.value = ""; // the same file may be chosen again
          }}
        />
        {other && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setOther(undefined);
              button.current?.focus(); // the list may be off
            }}
          >
            Stop comparing
          </button>
        )}
      </div>
      {other?.state === "opening" && <p class="note">Opening …</p>}
      {other?.state instanceof Error && <p class="refusal">{other.name} cannot be compared: {other.state.message}.</p>}
      {other?.state === "open" && (
        <Later
          key={other.file}
          load={() => import("./comparison").then((m) => m.Comparison)}
          props={{ files: [file, other.file] as const, names: [name, other.name] as const }}
          what="The comparison"
        />
      )}
    </div>
  );
}
