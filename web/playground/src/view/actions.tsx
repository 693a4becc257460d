// The actions half of the page.

import { BrowserHost } from "./browser";
import { Call } from "./call";
import { PhoneHost } from "./phone";
import { Picker } from "./picker";
import { Results } from "./results";

export function ActionsView() {
  return (
    <>
      <div class="intro beside">
        <h1>
          Rehearse your actions <span>before they are live.</span>
        </h1>
        <p>Choose one, change its arguments, and perform it: here in this browser, for real, and on a phone that shows what a real one would do.</p>
      </div>
      <div class="stage">
        <Picker />
        <div class="desk">
          <Call />
          <Results />
        </div>
        <div class="hosts">
          <BrowserHost />
          <PhoneHost />
        </div>
      </div>
    </>
  );
}
