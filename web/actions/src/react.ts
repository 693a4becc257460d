/**
 * Actions of React components: registered while a component is mounted, by a registry that a module exports.
 *
 * @packageDocumentation
 */
import { useCallback, useEffect, useInsertionEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Actions, ActionTypes, Declared, Handler, Identifier, LoadableActions } from "./types.js";

/**
 * Registers an action while the component is mounted. Rendering again does not: the handler that was rendered last is called. What
 * another component has registered under the same identifier since then stays when this one goes.
 */
export function useAction<I extends Identifier<T>, T extends Declared<T> = ActionTypes>(actions: Actions<T>, identifier: I, handler: Handler<T, I>): void {
  const latest = useRef(handler);
  useInsertionEffect(() => {
    latest.current = handler; // with the render that is shown, and no later
  });
  useEffect(() => {
    const registration = actions.register(identifier, (invocation) => latest.current(invocation));
    return () => void registration.unregister();
  }, [actions, identifier]);
}

/** Whether the program is there, or why it is not. */
export interface Loading {
  readonly loaded: boolean;
  /** What loading failed with, an ActionsError. The next perform tries again. */
  readonly error: unknown;
}

/** Loads the program once the component is mounted, and renders again when it is there or has failed to be. */
export function useLoaded<T extends Declared<T> = ActionTypes>(actions: LoadableActions<T>): Loading {
  const [error, setError] = useState<unknown>();
  const subscribe = useCallback(
    (changed: () => void) => {
      let gone = false;
      actions.load().then(
        () => gone || changed(),
        (thrown: unknown) => gone || setError(thrown),
      );
      return () => {
        gone = true;
      };
    },
    [actions],
  );
  const loaded = useSyncExternalStore(
    subscribe,
    () => actions.loaded,
    () => false,
  );
  return { loaded, error: loaded ? undefined : error };
}
