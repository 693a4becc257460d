// The call: which action, with which arguments, caused by what, on which host.

import { builtinNames, builtinOf } from "../core/catalogue";
import { parse, write } from "../core/json";
import { app } from "../hosts/apps";
import { hostTitles } from "../hosts/names";
import { appAction, chosenHosts, obstacle, runCall, sampleOf, source, titleOf } from "../sessions/call";
import { beside, custom, identifier, ownAction, pane, pushPayload, sourceKind, target, text } from "../sessions/state";
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
  const [title, about] = builtin
    ? [builtin.title, builtin.description]
    : appAction.value
      ? [appAction.value.title ?? appAction.value.identifier, appAction.value.schema?.description ?? `Registered by ${titleOf("app")}.`]
      : ownAction.value
        ? ["Your own action", "Registered by you, on the phone and in this browser. It takes any arguments."]
        : ["Not registered", "Nothing is registered under this identifier. Performing it reports that."];
  return (
    <section class="call card" aria-labelledby="call-title" id="call" tabIndex={-1}>
      <h2 id="call-title">{title}</h2>
      <p class="about">{about}</p>
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
          {[...builtinNames, ...custom.value.map((action) => action.name), ...(app.value?.actions ?? []).map(({ identifier }) => identifier)].map((name) => (
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
  const example = builtin?.example ?? (appAction.value && sampleOf(appAction.value));
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
            {example && (
              <button type="button" class="quiet" onClick={() => (text.value = write(example))}>
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

const places = { phone: "on phone", browser: "in browser", app: "in app", both: "on both" } as const;

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
  const verdicts = { browser: useVerdict("browser"), phone: useVerdict("phone"), app: useVerdict("app") };
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
          ["app", titleOf("app")],
          ["both", "Compare both"],
        ]}
        onChange={(chosen) => {
          target.value = chosen;
          if (chosen === "browser" || chosen === "app") beside.value = chosen;
        }}
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
          title={`${modifier}+Enter ${places[beside.value]}, ${modifier}+Shift+Enter on the phone`}
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
