// The call: which action, with which arguments, caused by what, on which host.

import { builtinNames, builtinOf } from "../core/catalogue";
import { parse, write } from "../core/json";
import { hostTitles } from "../hosts/names";
import { chosenHosts, obstacle, runCall, source } from "../sessions/call";
import { custom, identifier, ownAction, pane, pushPayload, sourceKind, target, text } from "../sessions/state";
import { modifier, Segmented } from "../ui/parts";
import { Handler, Payload } from "./payload";
import { Latest } from "./results";
import { useVerdict, Verdicts } from "./verdict";

function reformat(): void {
  const parsed = parse(text.value);
  if (parsed.ok) text.value = write(parsed.value);
}

/** The panel with the call. */
export function Call() {
  const builtin = builtinOf(identifier.value);
  return (
    <section class="call card" aria-labelledby="call-title" id="call" tabIndex={-1}>
      <h2 id="call-title">{builtin?.title ?? (ownAction.value ? "Your own action" : "Not registered")}</h2>
      <p class="about">{builtin?.description ?? (ownAction.value ? "Registered by you, on both hosts. It takes any arguments." : "Nothing is registered under this identifier. Performing it reports that.")}</p>
      <label class="field wide">
        <span>Identifier</span>
        <input
          id="identifier"
          class="mono"
          list="identifiers"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={identifier.value}
          onInput={(e) => (identifier.value = e.currentTarget.value)}
        />
        <datalist id="identifiers">
          {[...builtinNames, ...custom.value.map((action) => action.name)].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <Panes />
      <Run />
      <Source />
    </section>
  );
}

// One of them at a time, so that the button stays in view.
function Panes() {
  const builtin = builtinOf(identifier.value);
  const own = ownAction.value !== undefined;
  const shown = own ? pane.value : "arguments";
  return (
    <>
      <div class="bar panes">
        {own ? (
          <Segmented
            legend="What of the call is shown"
            hideLegend
            value={shown}
            options={[
              ["arguments", "Arguments"],
              ["handler", "Handler"],
            ]}
            onChange={(next) => (pane.value = next)}
          />
        ) : (
          <h3>Arguments</h3>
        )}
        {shown === "arguments" && (
          <span class="tools">
            {builtin && (
              <button type="button" class="quiet" onClick={() => (text.value = write(builtin.example))}>
                Example
              </button>
            )}
            <button type="button" class="quiet" onClick={reformat}>
              Format
            </button>
          </span>
        )}
      </div>
      {shown === "arguments" ? <Payload /> : <Handler key={ownAction.value?.name} />}
    </>
  );
}

function Source() {
  return (
    <div class="source">
      <Segmented
        legend="Triggered by"
        value={sourceKind.value}
        options={[
          ["manual", "The app"],
          ["push", "A push"],
        ]}
        onChange={(kind) => (sourceKind.value = kind)}
      />
      {sourceKind.value === "push" && (
        <label class="field wide">
          <span>Payload of the push message</span>
          <textarea
            class="mono"
            rows={2}
            spellcheck={false}
            value={pushPayload.value}
            aria-invalid={!source.value.ok}
            onInput={(e) => (pushPayload.value = e.currentTarget.value)}
          />
        </label>
      )}
      {sourceKind.value !== "manual" && (
        <p class={`note ${source.value.ok ? "" : "bad"}`}>
          {source.value.ok ? "Triggers are held until the SDK is started, and run then." : source.value.message}
        </p>
      )}
    </div>
  );
}

const places = { phone: "on phone", browser: "in browser", both: "on both" } as const;

/** The way to the effect: on a narrow page the hosts stand below the call, and the button at the foot of the window. */
function showEffect(): void {
  const hosts = document.querySelector(".hosts");
  // A style sheet has no say in what a script scrolls.
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  if (hosts && hosts.getBoundingClientRect().top > innerHeight / 2) hosts.scrollIntoView({ behavior });
}

function Run() {
  const verb = sourceKind.value === "manual" ? "Perform" : "Trigger";
  const blocked = obstacle.value;
  const verdicts = { browser: useVerdict("browser"), phone: useVerdict("phone") };
  const hopeless = chosenHosts.value.every((name) => ["none", "refused"].includes(verdicts[name].kind));
  return (
    <>
      <Segmented
        legend="Run it on"
        hideLegend
        value={target.value}
        options={[
          ["phone", hostTitles.phone],
          ["browser", hostTitles.browser],
          ["both", "Compare both"],
        ]}
        onChange={(chosen) => (target.value = chosen)}
      />
      <Verdicts {...verdicts} />
      <div class="run">
        <button
          type="button"
          class={hopeless ? "secondary" : "primary"}
          aria-disabled={blocked !== ""}
          onClick={() => {
            runCall();
            showEffect();
          }}
          title={`${modifier}+Enter in this browser, ${modifier}+Shift+Enter on the phone`}
        >
          {verb} {places[target.value]}
        </button>
        <p class="obstacle" hidden={!blocked}>
          {blocked && `Cannot run yet: ${blocked}.`}
        </p>
        <Latest />
      </div>
    </>
  );
}
