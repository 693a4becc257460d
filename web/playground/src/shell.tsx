// The frame of the page: the way between its two halves, the link.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ActionsView } from "./actions/view";
import { announcement } from "./core/announcement";
import { fragment, link, restore, writeAddress } from "./sessions/link";
import { begin as beginTour, stories, Tour } from "./tour/tour";
import { Link, Mark } from "./ui/icons";
import { Later } from "./ui/later";
import { CopyButton } from "./ui/parts";

/** The half that is shown. */
export const view = signal<"actions" | "exports" | "loop">("actions");

/** Whether the address carried something that could not be read. */
const unreadable = signal(false);

/** Follows the address: the half to show, and the state that a link carries. */
export function follow(): void {
  const toured = beginTour(location.hash);
  if (toured) history.replaceState(history.state, "", toured);
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
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <a
        class="skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          (main.current?.querySelector<HTMLElement>(".primary") ?? main.current)?.focus();
        }}
      >
        Skip to the main button
      </a>
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
            <CopyButton class="tool" text={link} what="The link to this state" otherwise={() => void (location.hash = fragment())}>
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
          Guided tours:{" "}
          {stories.map(({ name, short }, i) => (
            <>
              {i > 0 && ", "}
              <a href={`#tour/${name}`}>{short.toLowerCase()}</a>
            </>
          ))}
          .
        </p>
        <p>
          Everything runs on your machine, and all data is synthetic. The page contacts no other address, unless you perform a
          deeplink in this browser, which opens it for real. See also the <a href="/docs">API document</a> and the{" "}
          <a href="/guide/">documentation</a>.
        </p>
      </footer>
      <p class="hidden" role="status" aria-live="polite">
        {announcement.value}
      </p>
      <Tour />
    </>
  );
}
