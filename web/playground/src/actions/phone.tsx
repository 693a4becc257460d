// The simulated phone, drawn.

import { computed } from "@preact/signals";
import type { Permission } from "../core/adapter";
import { permissionWords, phone as conditions } from "../hosts/conditions";
import type { Screen } from "../hosts/phone";
import { phone } from "../sessions/sessions";
import { Dialog } from "../ui/dialog";
import { Device } from "../ui/frames";
import { Mark } from "../ui/icons";
import { PhoneConditions } from "./conditions";
import { HostCard } from "./host";

const name = computed(() => `${conditions.value.platform === "ios" ? "iOS" : "Android"} ${conditions.value.version}`);

/** The panel of the phone. */
export function PhoneHost() {
  const { platform } = conditions.value;
  return (
    <HostCard
      name="phone"
      effects={phone.effects}
      subtitle={<>Simulated: {name}.</>}
      conditions={<PhoneConditions />}
    >
      <Device platform={platform}>
        <Shown screen={phone.screen.value} />
        <Dialog prompts={phone.prompts} look={platform} />
      </Device>
      <dl class="permissions">
        <div>
          <dt>Notifications</dt>
          <dd class={`permission ${conditions.value.notifications}`}>{permissionWords[conditions.value.notifications]}</dd>
        </div>
        <div>
          <dt>Tracking</dt>
          <dd class={`permission ${conditions.value.tracking}`}>{permissionWords[conditions.value.tracking]}</dd>
        </div>
        <div>
          <dt>Clipboard</dt>
          <dd class="pasteboard">
            {phone.clipboard.value === undefined ? (
              "nothing copied"
            ) : phone.clipboard.value === "" ? (
              "empty"
            ) : (
              <code>{phone.clipboard.value}</code>
            )}
          </dd>
        </div>
      </dl>
    </HostCard>
  );
}

const back = (): void => void (phone.screen.value = { kind: "app", message: false });

function Shown({ screen }: { screen: Screen }) {
  switch (screen.kind) {
    case "app":
      return <App message={screen.message} />;
    case "home":
      return (
        <div class="home">
          <button type="button" onClick={() => (phone.screen.value = { kind: "app", message: true })}>
            <Mark />
            <span>Your app</span>
          </button>
        </div>
      );
    case "inside":
      return <Opened title="Link" words="Opened inside the app" url={screen.url} />;
    case "outside":
      return screen.web ? (
        <Opened title="Browser" words="Opened in the phone’s browser" url={screen.url} />
      ) : (
        <Opened title="Another app" words="Opened by the app that owns this link" url={screen.url} />
      );
    case "settings":
      return <Settings page={screen.page} />;
  }
}

const Opened = ({ title, words, url }: { title: string; words: string; url: string }) => (
  <div class="app">
    <Bar title={title} />
    <div class="linked">
      <p>{words}</p>
      <code>{url}</code>
    </div>
  </div>
);

function Bar({ title }: { title: string }) {
  return (
    <div class="navbar">
      <button type="button" onClick={back}>
        ‹ Back
      </button>
      <strong>{title}</strong>
    </div>
  );
}

function App({ message }: { message: boolean }) {
  return (
    <div class="app">
      <div class="navbar">
        <strong>Your app</strong>
      </div>
      {message ? (
        <article class="notice">
          <Mark />
          <div>
            <h3>A message in your app</h3>
            <p>It stays until an action dismisses it.</p>
          </div>
        </article>
      ) : (
        <button type="button" class="again" onClick={() => (phone.screen.value = { kind: "app", message: true })}>
          Show the message again
        </button>
      )}
    </div>
  );
}

function Settings({ page }: { page: "notifications" | "app" }) {
  const { notifications, tracking, platform } = conditions.value;
  const set = (change: Partial<typeof conditions.value>): void => void (conditions.value = { ...conditions.value, ...change });
  return (
    <div class="settings">
      <Bar title={page === "notifications" ? "Notifications" : "Settings"} />
      <p class="owner">
        <Mark /> Your app
      </p>
      <div class="rows">
        <Switch label="Allow notifications" value={notifications} onChange={(value) => set({ notifications: value })} />
        {page === "app" && platform === "ios" && (
          <Switch label="Allow tracking" value={tracking} onChange={(value) => set({ tracking: value })} />
        )}
      </div>
      {(page === "app" ? tracking : notifications) === "restricted" && <p class="owner managed">Managed by your organisation.</p>}
    </div>
  );
}

function Switch({ label, value, onChange }: { label: string; value: Permission; onChange(value: Permission): void }) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={value === "authorized"}
        disabled={value === "restricted"}
        onChange={(e) => onChange(e.currentTarget.checked ? "authorized" : "denied")}
      />
    </label>
  );
}
