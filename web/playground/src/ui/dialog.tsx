// A question on the screen of a host, in the look of its platform. It takes the focus, and gives it back when it is answered.

import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Prompt, Prompts } from "../core/prompts";

const words: Record<
  Prompt["kind"],
  { title: string; text: string; answers: readonly (readonly [value: string, label: string])[] }
> = {
  notifications: {
    title: "“Your app” would like to send you notifications",
    text: "Notifications may include alerts, sounds and badges.",
    answers: [
      ["deny", "Don’t allow"],
      ["allow", "Allow"],
    ],
  },
  tracking: {
    title: "Allow “Your app” to track your activity?",
    text: "Your data will be used to show you what interests you.",
    answers: [
      ["deny", "Ask not to track"],
      ["allow", "Allow"],
    ],
  },
  rating: {
    title: "Enjoying “Your app”?",
    text: "Tap a star to rate it.",
    answers: [["not now", "Not now"]],
  },
};

/** The question that is on the screen, if there is one. */
export function Dialog({ prompts, look }: { prompts: Prompts; look: "ios" | "android" }) {
  const prompt = prompts.queue.value[0];
  return prompt ? <Shown key={prompt.key} prompt={prompt} look={look} /> : null;
}

/** What has the focus, inside a shadow root too. */
function focused(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element as HTMLElement | null;
}

function Shown({ prompt, look }: { prompt: Prompt; look: string }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  // Before anything is painted: a question that is there has the focus, and one that is gone has given it back.
  useLayoutEffect(() => {
    const before = focused();
    box.current?.querySelector("button")?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
    return () => before?.focus({ preventScroll: true });
  }, []);
  const { title, text, answers } = words[prompt.kind];
  return (
    <div class={`veil ${look}`}>
      <div
        class={`dialog ${prompt.kind}`}
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        ref={box}
      >
        <h4 id={`${id}-title`}>{title}</h4>
        <p id={`${id}-text`}>{text}</p>
        {prompt.kind === "rating" && (
          <div class="stars">
            {[1, 2, 3, 4, 5].map((n) => (
              <button key={n} type="button" aria-label={n === 1 ? "1 star" : `${n} stars`} onClick={() => prompt.answer(`${n} of 5 stars`)}>
                ★
              </button>
            ))}
          </div>
        )}
        <div class="answers">
          {answers.map(([value, label]) => (
            <button key={value} type="button" class={value} onClick={() => prompt.answer(value)}>
              {label}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}
