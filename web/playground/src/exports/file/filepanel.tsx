// The file of an export: a table, a filter, its events over time, and the ways to take it along.

import { signal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { shellQuote } from "../../core/request";
import { reason } from "../../server/client";
import { clock, currentTime, formatTime } from "../../server/clock";
import { bytes, counted } from "../../ui/format";
import { Later } from "../../ui/later";
import { CopyButton } from "../../ui/parts";
import { kindOf } from "../api/kinds";
import { stateOf } from "./advice";
import { ExportFile } from "./file";
import { mostFound, useSurvey, type Survey } from "./survey";
import { Table } from "./table";

interface Finished {
  id: string;
  kind: string;
  request: Record<string, unknown>;
  /** When the file goes. */
  until: Date | undefined;
  /** The last answer to a lookup: another one brings another link. */
  lookup: unknown;
  /** Looks the export up as a client does. */
  renew(): Promise<void>;
  /** Puts its request into the form again. */
  repeat(): void;
}

/** The file of an export that has succeeded. */
export function FilePanel(props: Finished) {
  const { id, kind, request, renew } = props;
  const file = useMemo(() => new ExportFile(id, kindOf(kind), request), [id]);
  const state = useMemo(() => signal<"opening" | "open" | { trouble: string }>("opening"), [file]);
  const open = (): void => {
    file.open().then(
      () => (state.value = "open"),
      (error: unknown) => (state.value = { trouble: reason(error) }),
    );
  };
  useEffect(() => {
    open();
    return () => file.close();
  }, [file]);
  const now = state.value;
  if (now === "opening") return <p class="note">Opening the file …</p>;
  if (now === "open") return <Open file={file} {...props} />;
  return (
    <div class="trouble">
      <p>The file cannot be shown: {now.trouble}.</p>
      <button type="button" class="secondary" onClick={() => void renew().then(open)}>
        Look the export up again
      </button>
    </div>
  );
}

function Open({ file, ...props }: Finished & { file: ExportFile }) {
  const [filter, setFilter] = useState<string | undefined>(undefined);
  const [plotted, plot] = useState(false);
  const survey = useSurvey(file, filter);
  const found = survey?.findings.value;
  const every = useCallback((from: number, to: number) => file.page(from, to), [file]);
  const matching = useCallback((from: number, to: number) => Promise.resolve(found?.found.slice(from, to) ?? []), [survey, found?.found.length]);
  return (
    <div class="file">
      <div class="bar">
        <h2>
          File <span class="note">{counted(file.rows, "row")}, {bytes(file.size)}{file.kind.container && ` as ${file.kind.container}, unpacked here`}</span>
        </h2>
        <Links file={file} {...props} />
      </div>
      {file.rows === 0 ? (
        <p class="empty">The file has no rows: nothing of this kind happened in the window, or a scenario says so.</p>
      ) : (
        <>
          <FilterBar key={file.id} size={file.size} survey={survey} onFilter={setFilter} />
          <Table
            label={`Rows of ${file.kind.kind}`}
            columns={file.columns}
            total={filter ? (found?.found.length ?? 0) : file.rows}
            load={filter ? matching : every}
          />
          {file.columns.some(({ source }) => source === "event.date") && (
            <details class="fold" onToggle={(e) => plot(e.currentTarget.open)}>
              <summary>Events over time</summary>
              {plotted && <Later load={() => import("./plots").then((m) => m.Plot)} props={{ file }} what="The plot" />}
            </details>
          )}
        </>
      )}
    </div>
  );
}

/** The links, and what to do when they have ended. */
function Links({ file, until, lookup, renew, repeat }: Finished & { file: ExportFile }) {
  const [, renewed] = useState(0);
  const known = clock.value;
  const link = file.expires;
  const state = known.state === "known" ? stateOf({ file: until, link, now: currentTime(known) }) : "works";
  const name = (part: number): string => `${file.kind.kind}${file.parts.length > 1 ? `-${part + 1}` : ""}.${file.kind.format.toLowerCase()}${{ "": "", gzip: ".gz", zip: ".zip" }[file.kind.container]}`;
  const command = (): string => file.parts.map(({ link }, part) => `curl -sSfo ${shellQuote(name(part))} ${shellQuote(link)}`).join("\n");
  useEffect(() => void file.renew().then(() => renewed((n) => n + 1), () => undefined), [lookup]);
  return (
    <span class="tools download" role="status">
      <span class={state === "works" ? "note" : "refusal"}>
        {state === "gone" ? "The file is gone." : state === "expired" ? "The link has expired." : link && `Link works until ${formatTime(link)} UTC`}
      </span>
      {state === "gone" && (
        <button type="button" class="secondary" onClick={repeat}>
          Request it again
        </button>
      )}
      {state === "expired" && (
        <button type="button" class="secondary" onClick={() => void renew()}>
          Look the export up for a new link
        </button>
      )}
      {state === "works" &&
        file.parts.slice(0, 12).map((part, i) => (
          <a key={part.number} class="secondary" href={file.link(i)} download={name(i)}>
            {file.parts.length === 1 ? "Download" : `Part ${part.number}`}
          </a>
        ))}
      <CopyButton text={command} what="The download as curl">
        Copy as curl
      </CopyButton>
    </span>
  );
}

/** The field of the filter, and how many rows it found. */
function FilterBar({ size, survey, onFilter }: { size: number; survey: Survey | undefined; onFilter(next: string | undefined): void }) {
  const [text, setText] = useState("");
  const found = survey?.findings.value;
  const apply = (event: Event): void => {
    event.preventDefault();
    onFilter(text.trim() || undefined);
  };
  const clear = (): void => {
    setText("");
    onFilter(undefined);
  };
  const said = (): string => {
    if (!survey) return "";
    if (!found?.done) return `reading: ${Math.min(99, Math.floor(((found?.read ?? 0) / Math.max(1, size)) * 100))} %`;
    const most = found.matches > mostFound ? `; the first ${mostFound.toLocaleString("en")} are shown` : "";
    return `${found.matches.toLocaleString("en")} of ${counted(found.rows, "row")}${most}`;
  };
  return (
    <form class="filterbar" role="search" aria-label="Filter the rows" onSubmit={apply}>
      <input type="search" aria-label="Text to look for" placeholder="contains …" value={text} onInput={(e) => setText(e.currentTarget.value)} />
      <button type="submit" class="secondary">
        Filter
      </button>
      {survey && (
        <button type="button" class="quiet" onClick={clear}>
          Show all
        </button>
      )}
      <span class={survey?.trouble.value ? "refusal" : "note"} role="status">
        {survey?.trouble.value ? `The file could not be read: ${survey.trouble.value}.` : said()}
      </span>
    </form>
  );
}
