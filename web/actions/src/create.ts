import { Early } from "./early.js";
import { engineOf, registry, version } from "./load.js";
import type { ActionTypes, Declared, LoadableActions, LoadOptions } from "./types.js";

/**
 * Makes a registry of its own, at once: actions can be registered before the program is there. `perform` and `trigger` load it, and run
 * when it is there. Modules export such a registry, components register with it, and servers may render with it: nothing is loaded
 * until {@link LoadableActions.load}, or the first `perform` or `trigger`.
 */
export function createActions<T extends Declared<T> = ActionTypes>(options: LoadOptions = {}): LoadableActions<T> {
  const open = async () => {
    const engine = await engineOf(options);
    return (own: LoadOptions) => registry(engine, own);
  };
  return new Early(open, options, version) as unknown as LoadableActions<T>;
}
