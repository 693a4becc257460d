// The ways to take a file along: its parts as downloads, and all of them as curl. A browser keeps to itself what became of a download, so
// the page reads the file and hands it over: what is refused or breaks off is said where it was asked for, with what to do about it.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { shellQuote } from "../../core/request";
import { get, reason, Refusal, send } from "../../server/client";
import { clock, currentTime, formatTime } from "../../server/clock";
import { bytes, counted } from "../../ui/format";
import { CopyButton } from "../../ui/parts";
import type { ExportFile } from "./file";

/** Up to this size a download passes through the page. Of a larger one only the first byte is asked for, to see whether it is refused. */
const mostHeld = 1 << 28;
/** How long what was handed over is kept for the browser to take, in milliseconds. */
const kept = 60_000;

/** Whether a link was refused, in the place of which another one may work. */
export const stale = (error: unknown): boolean => error instanceof Refusal && [403, 404, 410].includes(error.status);

type Outcome =
  | { state: "none" }
  | { state: "under way" | "saved"; words: string }
  | { state: "failed"; words: string; part: number; stale: boolean };

/** What a button is called that gives another link. */
export const lookAgain = "Look the export up for a new link";

const nameOf = (file: ExportFile, part: number): string => {
  const extension = file.kind.format.toLowerCase();
  return file.parts.length === 1 ? `${file.kind.kind}.${extension}` : `${file.kind.kind}-${part + 1}.${extension}`;
};

function handOver(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

/** Reads a part as it comes. What has come is kept by the browser, not in memory. */
async function read(answer: Response, arrived: (bytes: number) => void): Promise<Blob> {
  const pieces: Blob[] = [];
  let all = 0;
  for (const reader = answer.body!.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces);
    pieces.push(new Blob([value]));
    arrived((all += value.length));
  }
}

/** Why a download broke off, which a browser does not tell, as the journal has it. */
async function journalled(file: ExportFile, part: number): Promise<string> {
  const { pathname } = new URL(file.address(part));
  const query = new URLSearchParams({ export: file.id, limit: "0" });
  for (let turn = 0; turn < 10; turn++) {
    const { requests } = await get<{ requests: Sent[] }>(`/_mock/journal?${query}`);
    const last = requests.filter(({ path }) => path === pathname).at(-1);
    if (!last) break;
    if (!last.open) return ` The server says: ${[last.reason, ...(last.applied ?? []).map(({ scenario }) => `scenario ${scenario}`)].join(", ")}.`;
    await new Promise((go) => setTimeout(go, 100)); // it ends there a moment later than here
  }
  return "";
}

/** What the page needs of a request in the journal. */
interface Sent {
  path: string;
  open?: boolean;
  reason: string;
  applied?: { scenario: string }[];
}

async function download(file: ExportFile, part: number, tell: (now: Outcome) => void): Promise<void> {
  const { size } = file.parts[part]!;
  const name = nameOf(file, part);
  const large = size > mostHeld;
  tell({ state: "under way", words: `Asking for ${name} …` });
  try {
    const answer = await send(file.link(part), large ? { headers: { range: "bytes=0-0" } } : {});
    if (large) {
      handOver(file.link(part), name);
      return tell({ state: "saved", words: `The browser is downloading ${name}.` });
    }
    const body = await read(answer, (n) => tell({ state: "under way", words: `Downloading ${name}: ${bytes(n)} of ${bytes(size)}` })).catch(() => undefined);
    if (!body) return tell({ state: "failed", words: `${name} was not downloaded: it broke off.${await journalled(file, part).catch(() => "")}`, part, stale: false });
    const url = URL.createObjectURL(body);
    handOver(url, name);
    setTimeout(() => URL.revokeObjectURL(url), kept);
    const faults = [
      ...(body.size === size ? [] : [`has only ${body.size.toLocaleString("en")} of ${counted(size, "byte")}`]),
      ...((await body.slice(-1).text()) === "\n" ? [] : ["ends in the middle of a line"]),
    ];
    if (faults.length === 0) tell({ state: "saved", words: `${name} is complete: ${counted(size, "byte")}.` });
    else tell({ state: "failed", words: `${name} was downloaded, but ${faults.join(" and ")}.`, part, stale: false });
  } catch (error) {
    const status = error instanceof Refusal ? `${[error.status, error.code].join(" ").trim()}, ` : "";
    tell({ state: "failed", words: `${name} was not downloaded: ${status}${reason(error).replace(/\.$/, "")}.`, part, stale: stale(error) });
  }
}

/** The downloads of a file. `renew` looks its export up as a client does, which gives another link. */
export function Downloads({ file, until, renew }: { file: ExportFile; until: Date | undefined; renew(): Promise<void> }) {
  void file.version.value; // parts of other links
  const outcome = useMemo(() => signal<Outcome>({ state: "none" }), [file]);
  useEffect(() => void (outcome.value = { state: "none" }), [file.parts]); // other links, of which nothing is known yet
  const take = (part: number): void => {
    if (outcome.peek().state !== "under way") void download(file, part, (now) => (outcome.value = now));
  };
  const command = (): string => file.parts.map((_, part) => `curl -sSfo ${shellQuote(nameOf(file, part))} ${shellQuote(file.address(part))}`).join("\n");
  const now = outcome.value;
  return (
    <>
      <p class={`download ${now.state === "failed" ? "refusal" : "note"}`} role="status">
        {now.state === "none" ? <LinkLife file={file} gone={until} /> : now.words}
        {now.state === "failed" && " "}
        {now.state === "failed" && (
          <button type="button" class="inline" onClick={() => (now.stale ? void renew() : take(now.part))}>
            {now.stale ? lookAgain : "Download it again"}
          </button>
        )}
      </p>
      <span class="tools">
        {file.parts.slice(0, 12).map((part, i) => (
          <a
            key={part.number}
            class="secondary"
            href={file.link(i)}
            download={nameOf(file, i)}
            onClick={(e) => {
              e.preventDefault();
              take(i);
            }}
          >
            {file.parts.length === 1 ? "Download" : `Part ${part.number}`}
          </a>
        ))}
        <CopyButton text={command} what="The download as curl">
          Copy as curl
        </CopyButton>
      </span>
    </>
  );
}

function LinkLife({ file, gone }: { file: ExportFile; gone: Date | undefined }) {
  void file.version.value; // links that were replaced
  const until = file.expires(0);
  const now = clock.value;
  if (gone && now.state === "known" && currentTime(now) >= gone) return <>The file is gone: request the export again.</>;
  if (!until) return null;
  return <>{now.state !== "known" || currentTime(now) < until ? `Link works until ${formatTime(until)} UTC` : "Link expired: look the export up again for another one."}</>;
}
