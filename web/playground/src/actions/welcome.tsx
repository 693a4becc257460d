// The welcome of a first visit: what the three parts of the page are for. Closed once, it stays closed.

import { signal } from "@preact/signals";

const stored = (): boolean => {
  try {
    return localStorage.getItem("welcomed") !== "yes";
  } catch {
    return true;
  }
};
const shown = signal(stored());

function close(): void {
  shown.value = false;
  try {
    localStorage.setItem("welcomed", "yes");
  } catch {
    // Without storage it is closed as long as the page.
  }
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** The three parts in a sentence each, and the way to the other two. */
export function Welcome() {
  if (!shown.value) return null;
  return (
    <section class="welcome card" aria-label="What this page is for">
      <ol>
        <li>
          <strong>Actions</strong>
          <p>What your app and site will run. Choose one below and perform it: here, for real, or on the phone.</p>
        </li>
        <li>
          <strong>Exports</strong>
          <p>What your back end will fetch. Fill in a request and look into its file.</p>
          <a href="#exports">Make an export</a>
        </li>
        <li>
          <strong>Loop</strong>
          <p>How they meet. Tap a message on the phone and find the tap as a row.</p>
          <a href="#loop">Follow a tap</a>
        </li>
      </ol>
      <button type="button" class="quiet" onClick={close}>
        Got it
      </button>
    </section>
  );
}
