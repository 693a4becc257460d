// Questions that a host shows, one at a time, each waiting for the user's answer.

import { signal, type Signal } from "@preact/signals";

/** A question on the screen of a host. */
export interface Prompt {
  key: number;
  kind: "notifications" | "tracking" | "rating";
  answer(value: string): void;
}

/** The questions of one host; the first is on the screen, the others wait behind it. */
export class Prompts {
  readonly queue: Signal<readonly Prompt[]> = signal([]);
  #count = 0;

  /** Asks, and waits for the answer. */
  ask(kind: Prompt["kind"]): Promise<string> {
    return new Promise((resolve) => {
      const prompt: Prompt = {
        key: ++this.#count,
        kind,
        answer: (value) => {
          this.queue.value = this.queue.value.filter((other) => other !== prompt);
          resolve(value);
        },
      };
      this.queue.value = [...this.queue.value, prompt];
    });
  }

  /** Takes all questions off the screen; they stay without an answer. */
  clear(): void {
    this.queue.value = [];
  }
}
