/**
 * Actions of Vue components: registered while a component is mounted, by a registry that a module exports.
 *
 * @packageDocumentation
 */
import { onBeforeUnmount, onMounted, shallowRef, type ShallowRef } from "vue";
import type { Actions, ActionTypes, Declared, Handler, Identifier, LoadableActions, Registration } from "./types.js";

/**
 * Registers an action while the component is mounted; to be called in its setup. What another component has registered under the same
 * identifier since then stays when this one goes.
 */
export function useAction<I extends Identifier<T>, T extends Declared<T> = ActionTypes>(actions: Actions<T>, identifier: I, handler: Handler<T, I>): void {
  let registration: Registration | undefined;
  onMounted(() => (registration = actions.register(identifier, handler)));
  onBeforeUnmount(() => void registration?.unregister());
}

/** Whether the program is there, or why it is not. */
export interface Loading {
  readonly loaded: Readonly<ShallowRef<boolean>>;
  /** What loading failed with, an ActionsError. The next perform tries again. */
  readonly error: Readonly<ShallowRef<unknown>>;
}

/** Loads the program once the component is mounted; to be called in its setup. */
export function useLoaded<T extends Declared<T> = ActionTypes>(actions: LoadableActions<T>): Loading {
  const loaded = shallowRef(false);
  const error = shallowRef<unknown>();
  onMounted(() => {
    actions.load().then(
      () => (loaded.value = true),
      (thrown: unknown) => (error.value = thrown),
    );
  });
  return { loaded, error };
}
