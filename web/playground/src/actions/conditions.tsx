// The conditions of the simulated phone, to set.

import type { Permission } from "../core/adapter";
import {
  capabilityNames,
  capabilityTitles,
  newestVersion,
  permissionWords,
  phone as conditions,
  type Behaves,
} from "../hosts/conditions";
import { Segmented, Select } from "../ui/parts";

const set = (change: Partial<typeof conditions.value>): void => void (conditions.value = { ...conditions.value, ...change });

const permissions = Object.entries(permissionWords) as [Permission, string][];

const behaves: readonly (readonly [Behaves, string])[] = [
  ["works", "works"],
  ["missing", "is missing"],
  ["blocked", "is blocked"],
  ["failed", "fails"],
];

/** The form with the phone's conditions. */
export function PhoneConditions() {
  const now = conditions.value;
  return (
    <div class="settable">
      <Segmented
        legend="Platform"
        value={now.platform}
        options={[
          ["ios", "iOS"],
          ["android", "Android"],
        ]}
        onChange={(platform) => set({ platform, version: newestVersion[platform] })}
      />
      <label class="field">
        <span>OS version</span>
        <input
          class="mono"
          inputMode="decimal"
          autocomplete="off"
          value={now.version}
          onChange={(e) => set({ version: e.currentTarget.value.trim().slice(0, 20) })}
        />
      </label>
      <Select
        label="Notifications"
        value={now.notifications}
        options={permissions}
        onChange={(notifications) => set({ notifications })}
      />
      <Select label="Tracking" value={now.tracking} options={permissions} onChange={(tracking) => set({ tracking })} />
      <Select
        label="Deeplink interceptor"
        value={now.interceptor}
        options={[
          ["none", "none is set"],
          ["handles", "handles every link"],
          ["ignores", "passes every link on"],
        ]}
        onChange={(interceptor) => set({ interceptor })}
      />
      <fieldset class="capabilities">
        <legend>Capabilities</legend>
        {capabilityNames.map((name) => (
          <Select
            key={name}
            label={capabilityTitles[name]}
            value={now.capabilities[name] ?? "works"}
            options={behaves}
            onChange={(value) => {
              const { [name]: _, ...others } = now.capabilities;
              set({ capabilities: value === "works" ? others : { ...others, [name]: value } });
            }}
          />
        ))}
      </fieldset>
    </div>
  );
}
