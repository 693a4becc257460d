import type { Actions } from "./types.js";

/** What pages may take out of a registry and call without it. */
const methods = ["register", "unregister", "perform", "trigger", "validate", "capability", "list", "start", "on", "setHost", "create", "dispose"] as const;

/** Has the methods of a registry work without it, also those that only this kind of registry has. */
export function bindMethods<A extends Actions>(registry: A, ...more: (keyof A)[]): void {
  for (const name of [...methods, ...more]) {
    Object.defineProperty(registry, name, { value: (registry[name] as () => unknown).bind(registry), enumerable: true });
  }
}
