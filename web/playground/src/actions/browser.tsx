// This browser: a frame for what the page itself shows when an action asks for it, and what the page supplies.

import type { CapabilityName } from "../core/adapter";
import { builtinsWith } from "../core/catalogue";
import { supplies, supplyTitles, type Supplies } from "../hosts/conditions";
import { browser } from "../sessions/sessions";
import { Dialog } from "../ui/dialog";
import { BrowserWindow } from "../ui/frames";
import { Tick } from "../ui/parts";
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
    <HostCard
      name="browser"
      effects={browser.effects}
      user={browser.user}
      subtitle="For real: actions run in this browser."
      conditions={<Conditions />}
    >
      <BrowserWindow>
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
        {browser.help.value && (
          <article class="message help">
            <h3>Notification settings</h3>
            <p>A page cannot open them. Click the icon to the left of the address, then “Site settings”.</p>
            <button type="button" class="secondary" onClick={() => (browser.help.value = false)}>
              Close
            </button>
          </article>
        )}
        <Dialog prompts={browser.prompts} look="web" />
      </BrowserWindow>
    </HostCard>
  );
}

// What the page supplies, for which capability, and in which words.
const offered = (Object.keys(supplyTitles) as CapabilityName[]).flatMap((capability) =>
  (Object.entries(supplyTitles[capability]) as [keyof Supplies, string][]).map(([name, label]) => ({ capability, name, label })),
);

function Conditions() {
  return (
    <fieldset class="ticks">
      <legend>Supplied by this page, since no browser has them. Without them the action is unsupported.</legend>
      {offered.map(({ capability, name, label }) => (
        <Tick
          key={name}
          label={label}
          hint={builtinsWith(capability).join(", ")}
          checked={supplies.value[name]}
          onChange={(on) => (supplies.value = { ...supplies.value, [name]: on })}
        />
      ))}
    </fieldset>
  );
}
