// The exports from a shell: how to get the first two files, and the controls of the server.

import { useEffect, useRef, useState } from "preact/hooks";
import { clock, formatTime, refreshClock } from "../../server/clock";
import { get, reason } from "../../server/client";
import { token, tokenWanted } from "../../server/token";
import { CopyButton } from "../../ui/parts";
import { demo } from "../api/demo";
import { kinds } from "../api/kinds";
import { Unknown } from "../clock/clockbar";

interface Command {
  title: string;
  text: string;
  command: string;
}

/** Lines for a shell, as the server writes them: with its own words, and its clock. */
interface Tour {
  steps: Command[];
  controls: Command[];
}

/** The exports from a shell. */
export function CommandLine() {
  useEffect(() => void refreshClock(), []);
  const [tour, setTour] = useState<Tour | string | undefined>(undefined);
  useEffect(() => {
    get<Tour>("/tour").then(setTour, (error: unknown) => setTour(reason(error)));
  }, [clock.value]);
  return (
    <div class="commands">
      <div class="intro brief">
        <h1>
          The same exports, <span>from your shell.</span>
        </h1>
        <p>Copy a line, or send the same requests from your own client.</p>
        <ul class="facts">
          <li>
            <span>clock</span> {clockWords()}
          </li>
          {credentials.map(([name, value]) => (
            <li key={name}>
              <span>{name}</span> <code>{value}</code>
            </li>
          ))}
        </ul>
      </div>
      {typeof tour === "string" ? (
        <p class="trouble slim" role="alert">
          {tour}
        </p>
      ) : (
        tour && <Lines {...tour} /> // all at once, so that nothing moves when it comes
      )}
    </div>
  );
}

function Lines({ steps, controls }: Tour) {
  const controlled = token.value !== "" || tokenWanted.value !== "";
  return (
    <>
      <section aria-labelledby="tour-title">
        <h2 id="tour-title">Five lines, two files</h2>
        <p class="lead">Paste them into one shell, in order. They use the demo credentials.</p>
        <ol class="steps">
          {steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
              <Line step={step} />
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="levers-title">
        <h2 id="levers-title">Controls the real service does not have</h2>
        <p class="lead">
          {controlled ? (
            <>
              The paths under /_mock/ ask for the control token: put it into <code>REHEARSAL_CONTROL_TOKEN</code> first.
            </>
          ) : (
            "Only clients on this machine reach the paths under /_mock/."
          )}
        </p>
        <div class="cards">
          {controls.map((step) => (
            <section key={step.title} class="card">
              <h3>{step.title}</h3>
              <p>{step.text}</p>
              <Line step={step} />
            </section>
          ))}
        </div>
      </section>
      <Kinds />
      <p class="also">
        See also: <a href="/_mock/clock">the clock</a> and <a href="/_mock/exports">all export requests</a> as JSON.
      </p>
    </>
  );
}

const credentials = [
  ["company key", demo.company],
  ["application key", demo.application],
  ["project key", demo.project],
  ["bearer token", demo.token],
] as const;

function clockWords() {
  const now = clock.value;
  if (now.state === "asking") return <span>asking …</span>;
  if (now.state === "unknown") {
    return <Unknown />;
  }
  return (
    <>
      <code>{formatTime(now.now)} UTC</code>
      {now.frozen && <span>frozen</span>}
    </>
  );
}

function Line({ step }: { step: Command }) {
  const line = useRef<HTMLPreElement>(null);
  return (
    <div class="command">
      <pre tabIndex={0} ref={line} aria-label={step.title}>
        {step.command}
      </pre>
      <CopyButton
        class="copy"
        text={() => step.command}
        what={step.title}
        otherwise={() => getSelection()?.selectAllChildren(line.current!)}
      >
        Copy
      </CopyButton>
    </div>
  );
}

function Kinds() {
  return (
    <section aria-labelledby="kinds-title">
      <h2 id="kinds-title">The exports</h2>
      <p class="lead">Every path, payload and column comes from the schema files.</p>
      <div class="table" tabIndex={0} role="group" aria-labelledby="kinds-title">
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Created by</th>
              <th scope="col">File</th>
              <th scope="col">Lookback</th>
            </tr>
          </thead>
          <tbody>
            {kinds().map((kind) => (
              <tr key={kind.kind}>
                <th scope="row">{kind.kind}</th>
                <td>
                  <code>
                    {kind.method} {kind.path}
                  </code>
                  {kind.choice && <code class="tag"> {kind.choice}</code>}
                  <br />
                  <small>{kind.summary}</small>
                </td>
                <td>{kind.format}</td>
                <td>{kind.lookback}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
