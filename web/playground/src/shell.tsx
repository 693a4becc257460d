// The frame of the page: the way between its two halves, the link.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ActionsView } from "./actions/view";
import { announcement } from "./core/announcement";
import { unreadable } from "./core/base64url";
import { fragment, link, restore, writeAddress } from "./sessions/link";
import { Link, Mark } from "./ui/icons";
import { Later } from "./ui/later";
import { CopyButton } from "./ui/parts";

/** The half that is shown. */
export const view = signal<"actions" | "exports" | "loop">("actions");

/** Follows the address: the half to show, and the state that a link carries. */
export function follow(): void {
  const { hash } = location;
  view.value = /^#exports\b/.test(hash) ? "exports" : /^#loop\b/.test(hash) ? "loop" : "actions";
  unreadable.value = !restore(hash);
}

// Going back must find the state as it was left.
function leave(): void {
  if (view.value === "actions") writeAddress();
}

/** The whole page. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useLayoutEffect(() => {
    document.title = `Rehearsal: ${view.value}`;
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [view.value]);
  const skip = (words: string, target: () => HTMLElement | null | undefined) => (
    <a
      class="skip"
      href="#main"
      onClick={(e) => {
        e.preventDefault();
        (target() ?? main.current)?.focus();
      }}
    >
      {words}
    </a>
  );
  return (
    <>
      {skip("Skip to the content", () => main.current)}
      {skip("Skip to the main button", () => main.current?.querySelector<HTMLElement>(".primary"))}
      <header class="top">
        <a class="brand" href={`#${fragment()}`}>
          <Mark /> <span>Rehearsal</span>
        </a>
        <nav aria-label="Parts of the page">
          <a href={`#${fragment()}`} aria-current={view.value === "actions" ? "page" : undefined}>
            Actions
          </a>
          <a href="#exports" onClick={leave} aria-current={view.value === "exports" ? "page" : undefined}>
            Exports
          </a>
          <a href="#loop" onClick={leave} aria-current={view.value === "loop" ? "page" : undefined}>
            Taps
          </a>
        </nav>
        {view.value === "actions" && (
          <div class="tools">
            <CopyButton class="tool" text={link} what="The link to this state">
              <Link /> <span>Copy link</span>
            </CopyButton>
          </div>
        )}
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {unreadable.value && (
          <div class="trouble slim" role="alert">
            <p>This link could not be read, perhaps because part of it was lost. You are looking at the start instead.</p>
            <button type="button" class="quiet" onClick={() => (unreadable.value = false)}>
              Close
            </button>
          </div>
        )}
        {view.value === "actions" ? (
          <ActionsView />
        ) : view.value === "exports" ? (
          <Later key="exports" load={() => import("./exports/view").then((m) => m.ExportsView)} props={{}} what="The exports" />
        ) : (
          <Later key="loop" load={() => import("./roundtrip/view").then((m) => m.RoundtripView)} props={{}} what="The loop" />
        )}
      </main>
      <footer class="bottom">
        <p>
          Everything runs on your machine, and all data is synthetic. Only a deeplink that you perform in this browser opens another address.
          See also the <a href="docs">API document</a> and the <a href="guide/">documentation</a>.
        </p>
      </footer>
      <p class="hidden" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </>
  );
}
