/**
 * How a program is run that TinyGo has built. It differs in two things. A panic cannot be recovered from: it is printed, then the
 * program traps, and the export throws. And what it has got hold of is never let go of by itself.
 */
import { runtimeGlobals } from "./sandbox.js";
import { Code, type Exports } from "./exports.js";
import type { Start } from "./toolchain.js";
import { makeGo, type TinyGo } from "go-runtime";

export const start: Start = (module, imports, bridge, print, end) => {
  const write = (text: string) => {
    print(text);
    if (/^(panic|fatal error):/.test(text)) {
      end(); // also when nobody here sees the trap, since a handler has caught it
    }
  };
  const go = new (makeGo<TinyGo>(runtimeGlobals(bridge, write)))();
  const instance = new WebAssembly.Instance(module, { ...go.importObject, rehearsal: imports });
  go.run(instance).catch(end);
  const raw = instance.exports as unknown as Exports & { readonly memory: WebAssembly.Memory };
  /** Where the table of the page's values has the adapter of each registry. */
  const adapters = new Map<number, bigint>();
  const free = (id: bigint | undefined) => {
    if (id !== undefined) {
      go._values[Number(id)] = null;
      go._idPool.push(id);
    }
  };
  const exports: Exports = {
    ...raw,
    mem: raw.memory,
    create(registry) {
      // Of what is read here the program keeps the adapter, unless it refuses.
      const { adapter } = bridge;
      const before = go._ids;
      const ids = (go._ids = new Map<unknown, bigint>());
      try {
        const code = raw.create(registry);
        if (code === Code.Done) {
          free(adapters.get(registry));
          adapters.set(registry, ids.get(adapter)!);
          ids.delete(adapter);
        }
        return code;
      } finally {
        ids.forEach(free);
        go._ids = before;
      }
    },
    dispose(registry) {
      const code = raw.dispose(registry);
      free(adapters.get(registry));
      adapters.delete(registry);
      return code;
    },
  };
  return { exports, stop() {} };
};
