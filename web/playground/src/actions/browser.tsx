// This browser: a frame for what the page itself shows when an action asks for it.

import { builtinsWith } from "../core/catalogue";
import { browser } from "../sessions/sessions";
import { HostCard } from "./host";

const permissionWords: Record<string, string> = {
  default: "not asked yet",
  granted: "allowed",
  denied: "denied",
  unsupported: "not on this address",
};

/** The panel of this browser. */
export function BrowserHost() {
  const permission = browser.notifications.value;
  return (
    <HostCard name="browser" effects={browser.effects} subtitle="For real: actions run in this browser.">
      <div class="window">
        <dl class="permissions">
          <div>
            <dt>Notifications</dt>
            <dd class={`permission ${permission}`}>{permissionWords[permission] ?? permission}</dd>
          </div>
          <div>
            <dt>Clipboard</dt>
            <dd>{typeof navigator.clipboard === "undefined" ? "not on this address" : "the device’s own"}</dd>
          </div>
        </dl>
        {browser.message.value ? (
          <article class="message">
            <h3>A message on this page</h3>
            <p>Dismiss it with {builtinsWith("dismisser").join(" or ")}.</p>
          </article>
        ) : (
          <div class="bar gone">
            <p>The message was dismissed.</p>
            <button type="button" class="quiet" onClick={() => (browser.message.value = true)}>
              Show it again
            </button>
          </div>
        )}
        {browser.inside.value && (
          <article class="message route">
            <h3>Opened inside the page</h3>
            <p>
              <code>{browser.inside.value}</code>
            </p>
            <button type="button" class="secondary" onClick={() => (browser.inside.value = "")}>
              Back
            </button>
          </article>
        )}
      </div>
    </HostCard>
  );
}
