// The actions half of the page.

import { chosenHosts } from "../sessions/call";
import { load, loading } from "../sessions/sessions";
import { AppHost, useApps } from "./app";
import { BrowserHost } from "./browser";
import { Call } from "./call";
import { PhoneHost } from "./phone";
import { Picker } from "./picker";
import { Results } from "./results";

const hosts = { browser: BrowserHost, phone: PhoneHost, app: AppHost };

/** The view of the actions. */
export function ActionsView() {
  useApps();
  return (
    <>
      <div class="intro">
        <h1>
          Rehearse your actions <span>before they are live.</span>
        </h1>
        <p>
          Choose an action, edit its arguments, and perform it on a simulated phone, in this browser, or in your own app.
        </p>
      </div>
      <Failed />
      <div class={`stage ${chosenHosts.value.length > 1 ? "both" : ""}`}>
        <Picker />
        <Call />
        <div class="hosts">
          {chosenHosts.value.map((name) => {
            const Host = hosts[name];
            return <Host key={name} />;
          })}
        </div>
        <Results />
      </div>
    </>
  );
}

function Failed() {
  const now = loading.value;
  if (now.state !== "failed") return null;
  return (
    <div class="trouble slim" role="alert">
      <p>
        <strong>The actions could not be loaded, so nothing can run.</strong> {now.message}
      </p>
      <button type="button" class="secondary" onClick={() => void load()}>
        Try again
      </button>
    </div>
  );
}
