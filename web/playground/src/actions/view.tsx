// The actions half of the page.

import { load, loading } from "../sessions/sessions";
import { BrowserHost } from "./browser";
import { Call } from "./call";
import { PhoneHost } from "./phone";
import { Picker } from "./picker";
import { Results } from "./results";
import { Welcome } from "./welcome";

/** The view of the actions. */
export function ActionsView() {
  return (
    <>
      <div class="intro brief">
        <h1>
          Rehearse your actions <span>before they are live.</span>
        </h1>
        <p>
          Choose one, change its arguments, and perform it: in this browser, for real, and on a phone that shows what a real one
          would do.
        </p>
      </div>
      <Welcome />
      <Failed />
      <div class="stage">
        <Picker />
        <Call />
        <Results />
        <BrowserHost />
        <PhoneHost />
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
