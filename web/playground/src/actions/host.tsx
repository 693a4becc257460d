// What both hosts have in common on the page: a title, the state of the SDK, and a list of what happened.

import type { ComponentChildren } from "preact";
import { permissionWords } from "../hosts/conditions";
import type { Effect, Effects } from "../hosts/effects";
import { hostTitles, type OwnHost } from "../hosts/names";
import { heldTriggers } from "../sessions/call";
import { restart, sessions, start } from "../sessions/sessions";

/** The panel of a host; `children` is its screen, `conditions` the form to set it up. */
export function HostCard(props: {
  name: OwnHost;
  effects: Effects;
  subtitle: ComponentChildren;
  conditions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { name } = props;
  return (
    <section class={`host card ${name}`} aria-labelledby={`${name}-title`} id={`host-${name}`} tabIndex={-1}>
      <header>
        <div>
          <h2 id={`${name}-title`}>{hostTitles[name]}</h2>
          <p class="subtitle">{props.subtitle}</p>
        </div>
        <Lifecycle name={name} />
      </header>
      {props.children}
      <Happened list={props.effects.list.value} title={hostTitles[name]} />
      {props.conditions && (
        <details class="conditions">
          <summary>Conditions</summary>
          {props.conditions}
        </details>
      )}
    </section>
  );
}

function Lifecycle({ name }: { name: OwnHost }) {
  const session = sessions.value[name];
  if (!session) return null;
  const started = session.started.value;
  const waiting = heldTriggers(name);
  return (
    <div class="bar lifecycle">
      <span class={`pill ${started ? "live" : "paused"}`}>
        {started ? "SDK started" : waiting > 0 ? `not started, ${waiting} held` : "SDK not started"}
      </span>
      {started ? (
        <button type="button" class="quiet" onClick={() => restart(name)}>
          Restart app
        </button>
      ) : (
        <button type="button" class="secondary" onClick={() => start(name)}>
          Start SDK
        </button>
      )}
    </div>
  );
}

/** The permissions that an app said it has. */
export const Permissions = ({ of }: { of: Readonly<Record<string, string>> }) => (
  <dl class="permissions">
    {Object.entries(of).map(([name, state]) => (
      <div key={name}>
        <dt>{name[0]?.toUpperCase() + name.slice(1)}</dt>
        <dd class={`permission ${state}`}>{permissionWords[state as keyof typeof permissionWords] ?? state}</dd>
      </div>
    ))}
  </dl>
);

/** What happened on a host, newest first. */
export function Happened({ list, title }: { list: readonly Effect[]; title: string }) {
  return (
    <div class="happened">
      <h3>What happened</h3>
      {list.length === 0 ? (
        <p class="empty">Nothing yet.</p>
      ) : (
        <ol class="effects" tabIndex={0} aria-label={`What happened on ${title}`}>
          {list.map((effect) => (
            <li key={effect.key}>
              <span>{effect.what}</span>
              {effect.detail && <code>{effect.detail}</code>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
