// The loop on the page: a message on both hosts, what was recorded of it, and the rows that exports then have.

import { useEffect } from "preact/hooks";
import "../style/roundtrip.css";
import { phone as conditions } from "../hosts/conditions";
import { hostTitles, type HostName } from "../hosts/names";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { browser, loading, phone, sessions } from "../sessions/sessions";
import { target } from "../sessions/state";
import { Dialog } from "../ui/dialog";
import { BrowserWindow, Device } from "../ui/frames";
import { counted } from "../ui/format";
import { Mark } from "../ui/icons";
import { Segmented } from "../ui/parts";
import { Described } from "../exports/api/described";
import { Proof } from "./proofview";
import { recorded, serverData, trouble, type Recorded } from "./recorder";
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
        <p>
          Tap a button in the message, then make the exports: your tap is a row in them, among the synthetic ones.
        </p>
      </div>
      <TokenForm />
      {loading.value.state === "failed" && (
        <div class="trouble slim" role="alert">
          <p>The actions could not be loaded, so the buttons do nothing. {loading.value.message}</p>
        </div>
      )}
      <div class="scene">
        <section class="card stagehost" aria-labelledby="loop-message">
          <h2 id="loop-message">
            1. Tap a message
          </h2>
          <Segmented
            legend="Where the message is shown"
            hideLegend
            value={target.value}
            options={[
              ["phone", hostTitles.phone],
              ["browser", hostTitles.browser],
              ["both", "Both"],
            ]}
            onChange={(chosen) => (target.value = chosen)}
          />
          {target.value !== "browser" && <PhoneScreen />}
          {target.value !== "phone" && <BrowserScreen />}
        </section>
        <Record />
        <Described>
          <Proof />
        </Described>
      </div>
    </div>
  );
}

function BrowserScreen() {
  return (
    <div class="screenof" role="group" aria-label={hostTitles.browser}>
      <BrowserWindow>
        <Message host="browser" />
        {browser.inside.value && <p class="note">Opened inside the page: {browser.inside.value}</p>}
        <Dialog prompts={browser.prompts} look="web" />
      </BrowserWindow>
      <Outcome host="browser" />
    </div>
  );
}

function PhoneScreen() {
  const { platform, notifications } = conditions.value;
  const screen = phone.screen.value;
  return (
    <div class="screenof" role="group" aria-label={hostTitles.phone}>
      <Device platform={platform}>
        <div class="app">
          <div class="navbar">
            <strong>Your app</strong>
          </div>
          {screen.kind === "inside" && <p class="opened">Opened inside the app: {screen.url}</p>}
          <Message host="phone" />
        </div>
        {phone.toast.value && <p class="toast">{phone.toast.value}</p>}
        <Dialog prompts={phone.prompts} look={platform} />
      </Device>
      <div class="levers">
        <span class="note">Notifications</span>
        {(["authorized", "denied", "not_determined"] as const).map((state) => (
          <button
            key={state}
            type="button"
            class="chip"
            aria-pressed={notifications === state}
            onClick={() => (conditions.value = { ...conditions.value, notifications: state })}
          >
            {{ authorized: "allowed", denied: "denied", not_determined: "not asked yet" }[state]}
          </button>
        ))}
      </div>
      <Outcome host="phone" />
    </div>
  );
}

function Message({ host }: { host: HostName }) {
  if (!shown[host].value) {
    return (
      <div class="curtain">
        <button type="button" class="primary" aria-disabled={!sessions.value[host]} onClick={() => sessions.value[host] && show(host)}>
          Show the message
        </button>
      </div>
    );
  }
  return (
    <article class="inapp" aria-label={`The message, ${hostTitles[host]}`}>
      <button type="button" class="closing" aria-label="Close the message" onClick={() => close(host)}>
        ×
      </button>
      <Mark />
      <h3>Welcome to the rehearsal</h3>
      <p>Each button performs an action.</p>
      {buttons.map((button, position) => (
        <button key={button.label} type="button" class={position === 0 ? "primary" : "secondary"} aria-disabled={!sessions.value[host]} onClick={() => tap(host, position)}>
          {button.label}
          <small>{button.about}</small>
        </button>
      ))}
    </article>
  );
}

const Outcome = ({ host }: { host: HostName }) => (
  <p class="note outcome" role="status">
    {outcome[host].value || (shown[host].value ? "Tap a button, or close the message." : "Nothing tapped yet.")}
  </p>
);

function Record() {
  return (
    <section class="card recorded" aria-labelledby="recorded-title">
      <h2 id="recorded-title">
        2. What was recorded
      </h2>
      {trouble.value && (
        <p class="refusal" role="alert">
          {trouble.value}
        </p>
      )}
      {recorded.value.length === 0 ? (
        <p class="empty">Nothing yet. Everything that happens becomes an event of the profile “playground”.</p>
      ) : (
        <ol class="events" tabIndex={0} aria-label="Events, newest first">
          {recorded.value.map((entry) => (
            <li key={entry.key} class={entry.state}>
              <span class="note">{hostTitles[entry.host]}</span> <strong>{entry.event.type}</strong> <code>{details(entry)}</code>
              {entry.state === "lost" && <span class="refusal"> not recorded: {entry.why}</span>}
              {entry.state === "sending" && <span class="note"> on its way</span>}
            </li>
          ))}
        </ol>
      )}
      {serverData.value && (
        <p class="note">
          The server holds {counted(serverData.value.events, "event")} of your own.
        </p>
      )}
    </section>
  );
}

function details({ event }: Recorded): string {
  const { type: _, install_id: __, campaign: ___, ...rest } = event;
  return Object.entries(rest)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
