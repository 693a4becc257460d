// The real service: a report of how it differs, the recording that the server replays, and the world that it shows otherwise.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import "../style/parts.css";
import "./realservice.css";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { DropZone } from "../ui/dropzone";
import { counted } from "../ui/format";
import { first, NotAReport, readReport, severities, type Entry, type Pair, type Report } from "./report";
import { ask, settingsOf, sources, sourcesTrouble, type Sources } from "./sources";

const report = signal<{ readonly name: string; readonly its: Report } | undefined>(undefined);
const fault = signal("");

/** The largest report, in bytes. */
const largest = 32 * 1024 * 1024;

async function open(files: readonly File[]): Promise<void> {
  const [file] = files;
  if (!file) return;
  try {
    if (file.size > largest) throw new NotAReport("It is larger than 32 MB, which no report is.");
    report.value = { name: file.name, its: readReport(await file.text()) };
    fault.value = "";
  } catch (error) {
    report.value = undefined;
    fault.value = `${file.name} cannot be shown. ${error instanceof NotAReport ? error.message : "It could not be read."}`;
  }
}

/** The view. */
export function RealServiceView() {
  useEffect(() => void ask(), [tokenChanges.value]); // with another control token the server is asked again
  const known = sources.value;
  return (
    <div class="realservice">
      <div class="intro brief">
        <h1>
          Compare with <span>the real service.</span>
        </h1>
        <p>See where this server differs from it. Reports are read in this page and never sent anywhere.</p>
      </div>
      <TokenForm />
      <Drift />
      <div class="pair">
        {known ? (
          <>
            <Recording its={known.recording} />
            <World its={known.world} />
          </>
        ) : (
          sourcesTrouble.value && (
            <div class="trouble slim" role="alert">
              <p>The recording and the world cannot be shown: {sourcesTrouble.value}</p>
              <button type="button" class="quiet" onClick={() => void ask()}>
                Try again
              </button>
            </div>
          )
        )}
      </div>
    </div>
  );
}

function Drift() {
  const now = report.value;
  return (
    <section class="card" aria-labelledby="drift-title">
      <h2 id="drift-title">Drift</h2>
      <DropZone prompt={<>Drop a report here: what <code>mockserver proxy</code> or <code>compare</code> wrote with <code>--format json</code>.</>} label="Report" onFiles={(files) => void open(files)}>
        {(choose) => (
          <button type="button" class={now ? "secondary" : "primary"} onClick={choose}>
            Choose a report
          </button>
        )}
      </DropZone>
      <div role="status">
        {fault.value && <p class="wrong">{fault.value}</p>}
        {now && (
          <p>
            <strong>{now.name}</strong>: {count(first(now.its).length, now.its.of === "proxy" ? "drift" : "difference")}
            {severities.map((severity) => {
              const its = first(now.its).filter((entry) => entry.severity === severity).length;
              return its > 0 ? `, ${its} ${severity}` : "";
            }).join("")}
            .
          </p>
        )}
      </div>
      {now && <Shown its={now.its} />}
    </section>
  );
}

const count = (number: number, what: string): string => (number === 0 ? `no ${what}s` : counted(number, what));

/** What the two sides are called. */
type Sides = readonly [string, string];

function Shown({ its }: { its: Report }) {
  const sides: Sides = its.of === "proxy" ? ["The schema files allow", "The service"] : ["A", "B"];
  return (
    <>
      {its.entries.length > 0 && <Entries label="What differs" entries={first(its)} all={its.entries} sides={sides} />}
      {its.lints.length > 0 && <Told title="What clients should not do" lines={its.lints} />}
      {its.undecided.length > 0 && <Told title="Undecided" lines={its.undecided} />}
      <dl class="sums">
        {its.summary.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || "none"}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const Entries = ({ label, entries, all, sides }: { label: string; entries: readonly Entry[]; all: readonly Entry[]; sides: Sides }) => (
  <ul class="drifts" aria-label={label}>
    {entries.map((entry) => (
      <li key={entry.id} class={entry.severity}>
        <One entry={entry} all={all} sides={sides} />
      </li>
    ))}
  </ul>
);

function One({ entry, all, sides }: { entry: Entry; all: readonly Entry[]; sides: Sides }) {
  const { says, advice, hinders, at } = entry.relation;
  const following = all.filter((other) => other.relation.follows === entry.id);
  return (
    <>
      <p class="head">
        <span class="severity">{entry.severity}</span> <strong>{says || entry.where}</strong>{" "}
        <span class="note">
          {entry.kind}, {entry.state}, seen {entry.count === 1 ? "once" : `${entry.count} times`}
        </span>
      </p>
      {advice && <p>{advice[0]?.toUpperCase() + advice.slice(1)}</p>}
      {entry.pairs.length > 0 ? (
        <Pairs its={entry.pairs} sides={sides} />
      ) : (
        <dl>
          <div>
            <dt>{sides[0]}</dt>
            <dd>{entry.allowed}</dd>
          </div>
          <div>
            <dt>{sides[1]}</dt>
            <dd>{entry.came}</dd>
          </div>
        </dl>
      )}
      {hinders.length > 0 && <Told title="Conversations that could not be compared to the end" lines={hinders} />}
      {at.length > 0 && <Told title="Endpoints" lines={at} />}
      {(entry.sample || entry.overlay.length > 0) && (
        <details>
          <summary>{entry.overlay.length > 0 ? "Payload and overlay" : "Where it was seen"}</summary>
          {entry.sample && (
            <pre tabIndex={0} aria-label="Payload">
              {entry.sample}
            </pre>
          )}
          {entry.overlay.map((change) => (
            <p key={change} class="mono">
              {change}
            </p>
          ))}
        </details>
      )}
      {following.length > 0 && (
        <details>
          <summary>What follows from it ({following.length})</summary>
          <Entries label={`What follows from ${entry.id}`} entries={following} all={all} sides={sides} />
        </details>
      )}
    </>
  );
}

/** What the two say where not all steps saw the same. */
const Pairs = ({ its, sides }: { its: readonly Pair[]; sides: Sides }) => (
  <div class="tall" tabIndex={0} role="group" aria-label="All values that were seen">
    <table>
      <thead>
        <tr>
          <th scope="col">{sides[0]}</th>
          <th scope="col">{sides[1]}</th>
          <th scope="col">Seen in</th>
        </tr>
      </thead>
      <tbody>
        {its.map((pair) => (
          <tr key={`${pair.allowed}\n${pair.came}`}>
            <td>{pair.allowed}</td>
            <td>{pair.came}</td>
            <td>{pair.seen.join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Told = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <details>
    <summary>
      {title} ({lines.length})
    </summary>
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
);

function Recording({ its }: { its: Sources["recording"] }) {
  return (
    <section class="card" aria-labelledby="recording-title">
      <h2 id="recording-title">Recording</h2>
      {!its ? (
        <p class="note">
          This server replays no recording. Make one with <code>mockserver proxy --record DIR</code>, and replay it with <code>serve --replay DIR</code>.
        </p>
      ) : (
        <>
          <p>
            {count(its.count, "exchange")}, recorded from <time dateTime={its.began}>{its.began.replace("T", " ").slice(0, 19)}</time>. All other
            requests are answered from the world.
          </p>
          <div class="tall" tabIndex={0} role="group" aria-label="Exchanges of the recording">
            <table>
              <thead>
                <tr>
                  <th scope="col">#</th>
                  <th scope="col">Request</th>
                  <th scope="col">Answer</th>
                  <th scope="col">About</th>
                </tr>
              </thead>
              <tbody>
                {its.exchanges.map((x) => (
                  <tr key={x.number}>
                    <td>{x.number}</td>
                    <td class="mono">
                      {x.method} {x.path}
                    </td>
                    <td>{x.status}</td>
                    <td>{[x.stage, x.kind].filter(Boolean).join(" ")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {its.count > its.exchanges.length && <p class="note">Only the first {its.exchanges.length} are shown.</p>}
        </>
      )}
    </section>
  );
}

function World({ its }: { its: Sources["world"] }) {
  const settings = settingsOf(its);
  const own = settings.filter((setting) => setting.own).length;
  return (
    <section class="card" aria-labelledby="world-title">
      <h2 id="world-title">World</h2>
      <p>
        {counted(its.profiles, "profile")}, seed {its.seed}.{" "}
        {own === 0
          ? "Every setting has its default: this world was not shaped after a real user base."
          : `${count(own, "setting")} differ${own === 1 ? "s" : ""} from the defaults.`}
      </p>
      <div class="tall settings" tabIndex={0} role="group" aria-label="Settings of the world">
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">This world</th>
              <th scope="col">Default</th>
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.name} class={setting.own ? "changed" : undefined}>
                <th scope="row">{setting.name.replaceAll("_", " ")}</th>
                <td>{setting.own ? <strong>{setting.value}</strong> : setting.value}</td>
                <td>{setting.usual || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
