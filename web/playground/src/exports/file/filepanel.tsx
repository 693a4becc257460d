// The file of an export: its table, its columns, a filter, its plot, and the ways to take it along.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refusal } from "../../server/client";
import { bytes, counted } from "../../ui/format";
import { Later } from "../../ui/later";
import { kindOf } from "../api/kinds";
import { Downloads, lookAgain, stale } from "./download";
import { ExportFile } from "./file";
import { FilterBar, useFiltered } from "./filter";
import { Columns } from "./columns";
import { Grid } from "./grid";
import type { Survey } from "./survey";

/** How large a file is read at once for its plots. Larger ones wait to be asked. */
const small = 24 << 20;

interface Finished {
  id: string;
  kind: string;
  request: Record<string, unknown>;
  /** When the file goes. */
  until: Date | undefined;
  /** The last lookup of the export: another one gives another link. */
  lookup: unknown;
  /** Looks the export up. */
  renew(): Promise<void>;
}

/** The file of an export that has succeeded. */
export function FilePanel({ id, kind, request, until, lookup, renew }: Finished) {
  const file = useMemo(() => new ExportFile(id, kindOf(kind), request), [id]);
  const known = useRef(lookup);
  useEffect(() => {
    if (known.current !== lookup) void file.renew();
    known.current = lookup;
  }, [lookup]);
  return <Opened file={file} until={until} renew={renew} />;
}

interface Shown extends Pick<Finished, "until"> {
  file: ExportFile;
  renew(): Promise<void>;
}

function Opened({ file, until, renew }: Shown) {
  const state = useMemo(() => signal<"opening" | "open" | Error>("opening"), [file]);
  const open = (): void => {
    state.value = "opening";
    file.open().then(
      () => (state.value = "open"),
      (error: unknown) => (state.value = error instanceof Error ? error : new Error(String(error))),
    );
  };
  useEffect(() => {
    open();
    return () => file.close();
  }, [file]);
  if (state.value === "opening") return <p class="note">Opening the file …</p>;
  if (state.value !== "open") {
    const again = stale(state.value) ? () => void renew().then(open) : open;
    return (
      <div class="trouble">
        <p>
          {state.value instanceof Refusal ? state.value.message : `The file cannot be shown: ${state.value.message}.`}
        </p>
        <button type="button" class="secondary" onClick={again}>
          {again === open ? "Try again" : lookAgain}
        </button>
      </div>
    );
  }
  return <Open file={file} until={until} renew={renew} />;
}

function Open({ file, until, renew }: Shown) {
  const [survey, setSurvey] = useState<Survey | undefined>(undefined);
  const filtered = useFiltered(file, survey, setSurvey);
  useEffect(() => {
    if (file.size <= small && file.rows > 0) filtered.read();
  }, [file]);
  return (
    <div class="file">
      <div class="bar">
        <h3>
          File <span class="note">{summary(file)}</span>
        </h3>
        <Downloads file={file} until={until} renew={renew} />
      </div>
      {file.rows === 0 ? (
        <p class="empty">
          The file has no rows: nothing of this kind happened in the window, or a scenario says so.
          {file.kind.format === "CSV" && " Only the header is there."}
        </p>
      ) : (
        <>
          <FilterBar file={file} filtered={filtered} />
          <Grid
            label={`Rows of ${file.kind.kind}`}
            columns={file.columns}
            rows={filtered.rows}
            row={filtered.row}
            version={file.version}
          />
          {file.trouble.value && <p class="refusal">Some rows could not be fetched: {file.trouble.value}.</p>}
          <Columns file={file} survey={survey} />
          <section class="plots" aria-label="Plots">
            {survey ? (
              <Later load={() => import("./plots").then((m) => m.Plots)} props={{ file, survey }} what="The plot" />
            ) : (
              <p class="note">
                Plot and filters read the whole file, {bytes(file.size)}.{" "}
                <button type="button" class="secondary" onClick={() => filtered.read()}>
                  Read it and plot
                </button>
              </p>
            )}
          </section>
        </>
      )}
    </div>
  );
}

function summary(file: ExportFile): string {
  const parts = file.parts.length > 1 ? ` in ${file.parts.length} parts` : "";
  return `${counted(file.rows, "row")}, ${bytes(file.size)}${parts}`;
}
