// An app that has joined, and how one joins.

import { useEffect, useState } from "preact/hooks";
import { inOrder, write } from "../core/json";
import { app, chosenApp, door, refreshApps, removeApp, trouble, type App } from "../hosts/apps";
import type { Effect } from "../hosts/effects";
import { keepAsking } from "../server/live";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { statusWords } from "../sessions/log";
import { Command } from "../ui/command";
import { QrCode } from "../ui/qr";
import { Select } from "../ui/parts";
import { Happened, Permissions } from "./host";

/** Asks the server for its apps while the view is shown. */
export const useApps = (): void => useEffect(() => keepAsking(refreshApps), [tokenChanges.value]);

const platforms: Readonly<Record<string, string>> = { web: "Web page", node: "Node", jvm: "JVM", android: "Android", ios: "iOS", go: "Go" };
const states = { connected: ["live", "joined"], silent: ["paused", "silent"], gone: ["refused", "gone"] } as const;

/** The panel of the app that was chosen, or of how one joins. */
export const AppHost = () => (
  <>
    {app.value && <Joined app={app.value} />}
    <Connect open={!app.value} />
  </>
);

function Joined({ app: one }: { app: App }) {
  const all = door.value?.hosts ?? [];
  const [look, word] = states[one.state];
  const facts = [platforms[one.platform] ?? one.platform, one.version, one.origin ?? one.address];
  return (
    <section class="host card app" aria-labelledby="app-title" id="host-app" tabIndex={-1}>
      <header>
        <div>
          <h2 id="app-title">{one.name}</h2>
          <p class="subtitle">{facts.filter(Boolean).join(", ")}.</p>
        </div>
        <div class="bar lifecycle">
          <span class={`pill ${look}`}>{one.held > 0 ? `${word}, ${one.held} held` : word}</span>
          <button type="button" class="quiet" onClick={() => void removeApp(one.id)}>
            Remove
          </button>
        </div>
      </header>
      {all.length > 1 && (
        <Select
          label={`One of ${all.length} apps`}
          value={one.id}
          options={all.map(({ id, name, platform, state }) => [id, `${name}, ${platforms[platform] ?? platform}${state === "gone" ? ", gone" : ""}`])}
          onChange={(id) => (chosenApp.value = id)}
        />
      )}
      {one.state !== "connected" && (
        <p class="note">
          {one.state === "gone" ? "Start it again, or load its page: it comes back by itself, as the same app." : "It says nothing: it sleeps, or a debugger holds it."}
        </p>
      )}
      {Object.keys(one.permissions).length > 0 && <Permissions of={one.permissions} />}
      <Happened list={happened(one)} title={one.name} />
      {one.omitted.map(({ reason, count }) => (
        <p class="note" key={reason}>
          Left out {count} times: {reason}.
        </p>
      ))}
    </section>
  );
}

const happened = ({ performed = [] }: App): Effect[] =>
  performed.toReversed().map(({ sequence, identifier, arguments: args, source, result }) => ({
    key: sequence,
    what: `${identifier} ${statusWords[result.status]}`,
    detail: [
      source.kind === "manual" ? "" : `source ${source.kind}, `,
      `arguments ${write(inOrder(args ?? {}), 0)}`,
      result.value === undefined ? "" : `, returned ${write(result.value, 0)}`,
      result.message ? `: ${result.message}` : "",
    ].join(""),
  }));

function Connect({ open }: { open: boolean }) {
  const { code = "", addresses = [], refused = [] } = door.value ?? {};
  const [chosen, choose] = useState("");
  const network = addresses.includes(chosen) ? chosen : addresses[0];
  const { origin, port, hostname } = location;
  const here = /^(localhost|127\.|\[::1\])/.test(hostname) ? origin : (network ?? origin);
  const adb = `adb reverse tcp:${port} tcp:${port}`;
  return (
    <details class="card connect" open={open}>
      <summary>
        <h2>Connect an app</h2>
      </summary>
      <TokenForm />
      {trouble.value && <p class="refusal">{trouble.value}</p>}
      <p class="note">One line in a debug build, and the app is a target like the phone. It comes back by itself after a restart.</p>
      <h3>A page or Node, on this machine</h3>
      <Command label="Line for a web page or Node" text={`joinPlayground(actions, { url: "${here}" });`} />
      <h3>A phone by cable, or an emulator</h3>
      <Command label="Command for Android" text={adb} />
      <Command label="Line for Android" text={`AndroidPlayground.join(context, registry, "http://localhost:${port}", null);`} />
      <h3>Any device in this network</h3>
      {network ? (
        <>
          {addresses.length > 1 && (
            <Select label={`One of ${addresses.length} networks`} value={network} options={addresses.map((at) => [at, at])} onChange={choose} />
          )}
          <dl class="permissions">
            <div>
              <dt>Address</dt>
              <dd>
                <code>{network}</code>
              </dd>
            </div>
            <div>
              <dt>Code</dt>
              <dd>
                <code>{code}</code>
              </dd>
            </div>
          </dl>
          <QrCode text={`${network}/join#${code}`} label={`QR code of ${network} with the code`} />
          <Command label="Line with the code" text={`joinPlayground(actions, { url: "${network}", code: "${code}" });`} />
          <p class="note">
            Open <code>{network}/join</code> on the device: a page says that it reaches this server.
          </p>
        </>
      ) : (
        <>
          <p class="note">This server listens on this machine only. Start it for the network:</p>
          <Command label="Command for the network" text="mockserver serve --lan" />
        </>
      )}
      {refused.length > 0 && (
        <>
          <h3>Not let in</h3>
          <ul class="effects" tabIndex={0} aria-label="Apps that were not let in">
            {refused.map(({ time, name = "unnamed", address, origin, reason }) => (
              <li key={time}>
                <span>
                  {name} from {origin ?? address}, <time dateTime={time}>{time.slice(11, 19)}</time>
                </span>
                <code>{reason}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {refused.length === 0 && open && <p class="note">Nothing has knocked that was not let in: when an app says it cannot connect, it does not reach this server.</p>}
    </details>
  );
}
