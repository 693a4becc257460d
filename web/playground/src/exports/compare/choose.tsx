// What a file is compared with: another export of its kind, a file on this machine, or, part by part, itself.

import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Later } from "../../ui/later";
import { Select } from "../../ui/parts";
import { ExportFile } from "../file/file";
import { LocalFile } from "../file/localfile";

/** An export that a file may be compared with. */
export interface Candidate {
  id: string;
  name: string;
  request: Record<string, unknown>;
}

/** A file that is opened to be compared; `parts` are the numbers of those that its export has. */
type Opened = { file: ExportFile; name: string; state: "opening" | "open" | Error; parts: readonly number[] };

/** Opens one file after the other, and closes those that it has opened. */
function useOpened(): readonly [now: Opened | undefined, take: (next?: ExportFile, name?: string, parts?: readonly number[]) => void] {
  const [now, become] = useState<Opened | undefined>(undefined);
  useEffect(() => () => now?.file.close(), [now?.file]);
  const take = (file?: ExportFile, name = "", parts: readonly number[] = []): void => {
    become(file && { file, name, state: "opening", parts });
    const end = (state: "open" | Error) =>
      become((is) => (is && is.file === file ? { ...is, state, parts: parts.length > 0 ? parts : file.parts.map(({ number }) => number) } : is));
    file?.open().then(
      () => end("open"),
      (error: unknown) => end(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return [now, take];
}

/** Lets one choose, and shows the comparison. */
export function Choose({ file, name, candidates }: { file: ExportFile; name: string; candidates: readonly Candidate[] }) {
  const [other, takeOther] = useOpened();
  const [own, takeOwn] = useOpened(); // a part of the file, where it is not compared as a whole
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const parts = file.parts.map(({ number }) => number);
  const self = { id: file.id, name: "Another part of this file", request: file.request };
  const all = parts.length > 1 ? [self, ...candidates] : candidates;
  const pick = (take: typeof takeOther, of: Candidate, called: string, number?: number, among?: readonly number[]): void =>
    take(new ExportFile(of.id, file.kind, of.request, number), number ? `${called}, part ${number}` : called, among);
  const takePart = (number?: number): void => (number ? pick(takeOwn, self, name, number, parts) : takeOwn());
  const change = (value: string): void => {
    const one = all.find(({ id }) => id === value);
    if (!one) takeOther();
    else if (one !== self) pick(takeOther, one, one.name);
    else {
      const first = own?.file.part ?? parts[0]!;
      takePart(first);
      pick(takeOther, self, name, parts.find((number) => number !== first), parts);
    }
  };
  const chosen = all.find(({ id }) => id === other?.file.id);
  const a: Opened = own ?? { file, name, state: "open", parts };
  const failed = [a, other].find((one) => one?.state instanceof Error);
  return (
    <div class="compare">
      <div class="with">
        {parts.length > 1 && <PartOf label="Compare" parts={parts} value={own?.file.part} onChange={takePart} />}
        <label>
          <span>Compare with</span>
          <select value={other?.file.id ?? ""} onChange={(e) => change(e.currentTarget.value)} disabled={all.length === 0}>
            <option value="">{all.length === 0 ? "no other export of this kind yet" : other && !other.file.shared ? other.name : "another export …"}</option>
            {all.map(({ id, name: called }) => (
              <option key={id} value={id} selected={id === other?.file.id}>
                {called}
              </option>
            ))}
          </select>
        </label>
        {chosen && other && other.parts.length > 1 && (
          <PartOf
            label="Of which"
            parts={other.parts}
            value={other.file.part}
            onChange={(number) => pick(takeOther, chosen, chosen === self ? name : chosen.name, number, other.parts)}
          />
        )}
        <button type="button" ref={button} class="secondary" onClick={() => input.current?.click()}>
          A file of yours
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="The other file"
          onChange={(e) => {
            const [local] = e.currentTarget.files ?? [];
            if (local) takeOther(new LocalFile(local, file.kind), local.name);
            e.currentTarget.value = ""; // the same file may be chosen again
          }}
        />
        {other && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              takeOther();
              button.current?.focus(); // the list may be off
            }}
          >
            Stop comparing
          </button>
        )}
      </div>
      {other && [a.state, other.state].includes("opening") && <p class="note">Opening …</p>}
      {other && failed?.state instanceof Error && <p class="refusal">{failed.name} cannot be compared: {failed.state.message}.</p>}
      {other?.state === "open" && a.state === "open" && (
        <Fragment key={a.file}>
          <Later
            key={other.file}
            load={() => import("./comparison").then((m) => m.Comparison)}
            props={{ files: [a.file, other.file] as const, names: [a.name, other.name] as const }}
            what="The comparison"
          />
        </Fragment>
      )}
    </div>
  );
}

const PartOf = (props: { label: string; parts: readonly number[]; value: number | undefined; onChange(number?: number): void }) => (
  <Select
    label={props.label}
    value={String(props.value ?? "")}
    options={[["", "the whole file"], ...props.parts.map((number) => [String(number), `part ${number}`] as const)]}
    onChange={(value) => props.onChange(Number(value) || undefined)}
  />
);
