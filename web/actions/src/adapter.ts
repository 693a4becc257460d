/** How the program calls a host of the page's; the other half is wasm/host.go. */
import type { Code } from "./exports.js";
import type { Instance } from "./instance.js";
import type { CapabilityName, Host, RegistryOptions } from "./types.js";
import { codeOfThrown, describeThrown, isThenable } from "./thrown.js";

/** Where each capability is in a host. */
const places: { readonly [name in CapabilityName]: keyof Host } = {
  dismisser: "dismisser",
  link_opener: "linkOpener",
  interceptor: "interceptor",
  notifications: "notifications",
  settings: "settings",
  clipboard: "clipboard",
  reviewer: "reviewer",
  tracking: "tracking",
  user_data: "userData",
};

/** What the program reads when it makes a registry. */
export interface Adapter {
  readonly platform: string;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly gestures: boolean;
  readonly limited: boolean;
  readonly links: readonly string[];
  needsGesture(name: CapabilityName): boolean;
  call(number: number): void;
}

/** Calls into an instance; a program that ends on the way is noticed and started again. */
export type TryCall = (instance: Instance, operation: (instance: Instance) => Code) => Code;

/** Makes the adapter of a host for one instance. */
export function makeAdapter(tryCall: TryCall, instance: Instance, options: RegistryOptions, host: Host): Adapter {
  const names = Object.keys(places) as CapabilityName[];
  const answer = (number: number, value: unknown[]) => {
    tryCall(instance, (i) => i.exports.answer(number, i.value(value)));
  };
  const accept = (number: number, value: unknown) => {
    answer(number, [typeof value === "string" || typeof value === "boolean" ? value : null]);
  };
  const refuse = (number: number, thrown: unknown) => {
    if (!instance.dead) {
      answer(number, [null, codeOfThrown(thrown), describeThrown(thrown), instance.keep(thrown)]);
    }
  };
  return {
    platform: options.platform ?? "web",
    version: options.version ?? "",
    capabilities: names.filter((name) => host[places[name]] !== undefined && host[places[name]] !== null),
    gestures: typeof host.needsGesture === "function",
    limited: options.allowedLinks !== undefined,
    links: options.allowedLinks ?? [],
    needsGesture(name) {
      try {
        return host.needsGesture!(name);
      } catch {
        return false;
      }
    },
    call(number) {
      const [name, method, details] = instance.delivered as [CapabilityName, string, unknown[]];
      try {
        const capability = host[places[name]] as unknown as Record<string, (...details: unknown[]) => unknown>;
        const value = capability[method]!(...details);
        if (!isThenable(value)) {
          accept(number, value);
          return;
        }
        (async () => await value)().then(
          (later) => accept(number, later),
          (thrown: unknown) => refuse(number, thrown),
        );
      } catch (thrown) {
        refuse(number, thrown);
      }
    },
  };
}
