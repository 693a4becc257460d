// What a host did, as one line each: the visible proof that an action had its effect.

import { signal, type Signal } from "@preact/signals";
import type { Host } from "../core/adapter";
import { inOrder, write } from "../core/json";

/** One thing that a host did. */
export interface Effect {
  key: number;
  /** What it was, in the words of the page. */
  what: string;
  /** The text, link, tag or arguments that it was done with. */
  detail: string;
}

/** What a host did, newest first. */
export class Effects {
  readonly list: Signal<readonly Effect[]> = signal([]);
  #count = 0;

  note(what: string, detail: unknown = ""): void {
    const effect = { key: ++this.#count, what, detail: typeof detail === "string" ? detail : write(detail, 0) };
    this.list.value = [effect, ...this.list.value].slice(0, 40);
  }
}

/** A change of what is known of a user. */
export type UserChange =
  | { what: "tag_added" | "tag_removed"; collection: string; tag: string }
  | { what: "event"; name: string; label: string | null; tags: readonly string[]; data: Record<string, unknown> };

/** What is said of the user of a host. */
export class UserRecord {
  /** Is called with each change, while there is one. */
  listener: ((said: UserChange) => void) | undefined;

  /** The capability that leaves a line for each thing. */
  capability(effects: Effects): NonNullable<Host["userData"]> {
    return {
      addTag: (collection, tag) => {
        effects.note("tag added", `${collection}: ${tag}`);
        this.listener?.({ what: "tag_added", collection, tag });
      },
      removeTag: (collection, tag) => {
        effects.note("tag removed", `${collection}: ${tag}`);
        this.listener?.({ what: "tag_removed", collection, tag });
      },
      sendEvent: ({ name, label, tags, data }) => {
        effects.note("event sent", { name, label, tags, data: inOrder(data) });
        this.listener?.({ what: "event", name, label: label ?? null, tags: tags ?? [], data: data ?? {} });
      },
    };
  }
}
