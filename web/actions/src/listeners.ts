import type { ActionsEvents } from "./types.js";

type Listener<E extends keyof ActionsEvents> = (detail: ActionsEvents[E]) => void;

/** The listeners of one registry. */
export class Listeners {
  private readonly sets = new Map<keyof ActionsEvents, Set<(detail: never) => void>>();
  /** Whether somebody listens to what is performed. */
  watched = false;

  /** Adds a listener and returns what removes it. The same function may be added twice. */
  add<E extends keyof ActionsEvents>(event: E, listener: Listener<E>): () => void {
    const set = this.sets.get(event) ?? new Set();
    const entry: Listener<E> = (detail) => listener(detail);
    set.add(entry);
    this.sets.set(event, set);
    this.watch();
    return () => {
      set.delete(entry);
      this.watch();
    };
  }

  /** Calls the listeners. What they throw is reported as the page's own errors are, and disturbs nobody. */
  emit<E extends keyof ActionsEvents>(event: E, detail: ActionsEvents[E]): void {
    for (const listener of [...(this.sets.get(event) ?? [])]) {
      try {
        (listener as Listener<E>)(detail);
      } catch (thrown) {
        report(thrown);
      }
    }
  }

  private watch(): void {
    this.watched = (["performing", "performed"] as const).some((event) => (this.sets.get(event)?.size ?? 0) > 0);
  }
}

/** Reports an error as those of the page are; Node has no such thing. */
const report: (thrown: unknown) => void = typeof reportError === "function" ? reportError : (thrown) => console.error(thrown);
