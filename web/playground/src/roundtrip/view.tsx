// The loop on the page: a message on the phone, the events that were recorded of it, and the rows that exports then have.

import { useEffect } from "preact/hooks";
import "../style/roundtrip.css";
import { Described } from "../exports/api/described";
import { phone as conditions } from "../hosts/conditions";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { loading, phone, sessions } from "../sessions/sessions";
import { Dialog } from "../ui/dialog";
import { counted } from "../ui/format";
import { Device } from "../ui/frames";
import { Mark } from "../ui/icons";
import { Rows } from "../ui/rows";
import { makeProof, making, proof, type Finding } from "./proof";
import { deleteRecorded, held, names, recorded, trouble, type Recorded } from "./recorder";
import { begin, buttons, close, outcome, show, shown, tap } from "./scene";

/** The view of the loop. */
export function RoundtripView() {
  useEffect(begin, [tokenChanges.value]); // with another control token the server is asked again
  return (
    <div class="loop">
      <div class="intro">
        <h1>
          From a tap <span>to a row in a file.</span>
        </h1>
        <p>Tap a button in the message, then make the exports: your tap is a row in them, among the synthetic ones.</p>
      </div>
      <TokenForm />
      {loading.value.state === "failed" && (
        <div class="trouble slim" role="alert">
          <p>The actions could not be loaded, so the buttons do nothing. {loading.value.message}</p>
        </div>
      )}
      <div class="scene">
        <Message />
        <Record />
        <Described>
          <Proof />
        </Described>
      </div>
    </div>
  );
}

const permissions = { authorized: "allowed", denied: "denied", not_determined: "not asked yet" } as const;

function Message() {
  const { platform, notifications } = conditions.value;
  const screen = phone.screen.value;
  return (
    <section class="card screenof" aria-labelledby="loop-message">
      <h2 id="loop-message">1. Tap a message</h2>
      <Device platform={platform}>
        <div class="app">
          <div class="navbar">
            <strong>Your app</strong>
          </div>
          {screen.kind === "inside" && <p class="opened">Opened inside the app: {screen.url}</p>}
          {shown.value ? (
            <article class="inapp" aria-label="The message">
              <button type="button" class="closing" aria-label="Close the message" onClick={close}>
                ×
              </button>
              <Mark />
              <h3>Welcome to the rehearsal</h3>
              <p>Each button performs an action.</p>
              {buttons.map((button, position) => (
                <button key={button.label} type="button" class={position === 0 ? "primary" : "secondary"} onClick={() => tap(button, position)}>
                  {button.label}
                  <small>{button.about}</small>
                </button>
              ))}
            </article>
          ) : (
            <div class="curtain">
              <button type="button" class="primary" aria-disabled={!sessions.value.phone} onClick={() => sessions.value.phone && show()}>
                Show the message
              </button>
            </div>
          )}
        </div>
        <Dialog prompts={phone.prompts} look={platform} />
      </Device>
      <div class="levers">
        <span class="note">Notifications</span>
        {Object.entries(permissions).map(([state, label]) => (
          <button
            key={state}
            type="button"
            class="chip"
            aria-pressed={notifications === state}
            onClick={() => (conditions.value = { ...conditions.value, notifications: state as keyof typeof permissions })}
          >
            {label}
          </button>
        ))}
      </div>
      <p class="note" role="status">
        {outcome.value || (shown.value ? "Tap a button, or close the message." : "Nothing tapped yet.")}
      </p>
    </section>
  );
}

function Record() {
  return (
    <section class="card recorded" aria-labelledby="recorded-title">
      <h2 id="recorded-title">2. What was recorded</h2>
      {trouble.value && (
        <p class="refusal" role="alert">
          {trouble.value}
        </p>
      )}
      {recorded.value.length === 0 ? (
        <p class="empty">Nothing yet. Everything that happens becomes an event of the profile “{names.profile}”.</p>
      ) : (
        <ol class="events" tabIndex={0} aria-label="Events, newest first">
          {recorded.value.map((entry) => (
            <li key={entry.key} class={entry.state}>
              <strong>{entry.event.type}</strong> <code>{details(entry)}</code>
              {entry.state === "lost" && <span class="refusal"> not recorded</span>}
              {entry.state === "sending" && <span class="note"> on its way</span>}
            </li>
          ))}
        </ol>
      )}
      <p class="note">{held.value === undefined ? "Number of your events on the server: unknown." : `The server holds ${counted(held.value, "event")} of your own.`}</p>
    </section>
  );
}

function details({ event }: Recorded): string {
  const { type: _, install_id: __, campaign: ___, ...rest } = event;
  return Object.entries(rest)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function Proof() {
  const reset = (): void => {
    proof.value = [];
    void deleteRecorded();
  };
  return (
    <section class="card proof" aria-labelledby="proof-title">
      <h2 id="proof-title">3. What exports now contain</h2>
      <div class="buttons">
        <button type="button" class={recorded.value.length > 0 ? "primary" : "secondary"} aria-disabled={making.value} onClick={() => !making.value && void makeProof()}>
          Make the exports
        </button>
        <button type="button" class="quiet" onClick={reset}>
          Reset
        </button>
      </div>
      {proof.value.length === 0 ? (
        <p class="empty">
          Makes an in-app campaign, a reachability and an attributes export, and shows their rows of “{names.profile}”. All other rows are synthetic. After a
          reset, new exports no longer contain yours.
        </p>
      ) : (
        proof.value.map((shown) => <One key={shown.kind} shown={shown} />)
      )}
    </section>
  );
}

function One({ shown: { kind, why, state, trouble, id, heads = [], ownRows = [], rows = 0 } }: { shown: Finding }) {
  return (
    <section class="one" aria-label={kind} data-state={state}>
      <h3>
        {kind} <span class="note">{why}</span>
      </h3>
      {state === "making" && <p class="note">Making it …</p>}
      {state === "failed" && <p class="refusal">{trouble}</p>}
      {state === "there" && (
        <p class="note" role="status">
          {ownRows.length === 0 ? "No rows from you yet." : `${counted(ownRows.length, "row")} from you, of ${rows}.`} <a href={`#exports/file/${id}`}>Open the export</a>
        </p>
      )}
      {ownRows.length > 0 && <Rows label={`Your rows of ${kind}`} heads={heads} rows={ownRows} />}
    </section>
  );
}
