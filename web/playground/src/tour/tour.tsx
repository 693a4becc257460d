// Guided tours: a story is a list of steps, each of which points at a part of the page and says what to do there, or what to see.
// test/stories.test.mjs plays each of them, and the documents tell them in the same words.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import stories from "./stories.json";

export { stories };

interface Step {
  say: string;
  /** What it points at, as a selector. */
  at: string;
  /** Whether it goes on when that is clicked. */
  click?: boolean;
}

const story = signal<(typeof stories)[number] | undefined>(undefined);
const at = signal(0);

/** Begins the tour that an address names, and gives the address of its first view; nothing when it names none. */
export function begin(hash: string): string | undefined {
  const wanted = stories.find(({ name }) => hash === `#tour/${name}`);
  if (!wanted) return undefined;
  story.value = wanted;
  at.value = 0;
  return wanted.view;
}

const mark = "data-toured";

function point(selector: string | undefined): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector || "none")].find((one) => one.offsetParent !== null);
  for (const old of document.querySelectorAll(`[${mark}]`)) if (old !== found) old.removeAttribute(mark);
  if (!found || found.hasAttribute(mark)) return;
  found.setAttribute(mark, "");
  found.scrollIntoView({ block: "center" });
}

/** The step of the tour, at the foot of the window. */
export function Tour() {
  const steps: readonly Step[] = story.value?.steps ?? [];
  const step = steps[at.value];
  useEffect(() => {
    if (!step) return point(undefined);
    point(step.at);
    const timer = setInterval(() => point(step.at), 200); // what it points at may come later
    const clicked = ({ target }: Event): void => {
      if (step.click && (target as HTMLElement).closest(`[${mark}]:not([aria-disabled=true])`)) at.value++;
    };
    addEventListener("click", clicked, { capture: true }); // before what it does can disable it
    return () => {
      clearInterval(timer);
      removeEventListener("click", clicked, { capture: true });
    };
  }, [step]);
  if (!story.value) return null;
  const end = (): void => void (story.value = undefined);
  return (
    <aside class="tour card" aria-label={`Tour: ${story.value.short}`}>
      <p class="note">
        {story.value.short}, {step ? `step ${at.value + 1} of ${steps.length}` : "done"}
      </p>
      <p role="status">{step ? step.say : "That was it. Everything on this page stays as you left it."}</p>
      <div class="buttons">
        {step && !step.click && (
          <button type="button" class="primary" onClick={() => at.value++}>
            Next
          </button>
        )}
        <button type="button" class="quiet" onClick={end}>
          {step ? "Leave the tour" : "Close"}
        </button>
      </div>
    </aside>
  );
}
