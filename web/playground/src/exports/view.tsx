// The exports half: make an export and watch it, follow one person, and see what clients did.

import { useEffect, useLayoutEffect } from "preact/hooks";
import "../style/exports.css";
import { reachable } from "../server/client";
import { refreshClock } from "../server/clock";
import { keepAsking } from "../server/live";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { Later } from "../ui/later";
import { Described } from "./api/described";
import { ClockBar } from "./clock/clockbar";
import { Compose } from "./request/compose";
import { Result } from "./result/result";
import { follow, tab, tabs } from "./route";
import { refresh } from "./runs/runs";

// The views that are loaded when they are shown; each comes while the schemas are read, since neither needs the other.
const parts = {
  person: () => import("./person/person").then((m) => m.Person),
  journal: () => import("./journal/journal").then((m) => m.Journal),
};

/** The view of the exports. */
export function ExportsView() {
  useLayoutEffect(() => {
    follow();
    if (tab.value in parts) parts[tab.value as keyof typeof parts]().catch(() => {}); // shown by Later, which tells when it does not come
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => keepAsking(refreshClock), [tokenChanges.value]);
  useEffect(() => keepAsking(refresh), [tokenChanges.value]);
  return (
    <div class="exports">
      <div class="bar over">
        <nav class="tabs" aria-label="Views of the exports">
          {tabs.map(([name, title]) => (
            <a key={name} href={name ? `#exports/${name}` : "#exports"} aria-current={tab.value === name ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ClockBar />
      </div>
      {!reachable.value && (
        <div class="trouble slim" role="alert">
          <p>The server does not answer. Is it still running? The page keeps trying; what it shows may be out of date.</p>
        </div>
      )}
      <TokenForm />
      <Described>
        <Part key={tokenChanges.value} />
      </Described>
    </div>
  );
}

// With another control token everything is asked again.
function Part() {
  if (tab.value === "person") return <Later key="person" load={parts.person} props={{}} what="The person" />;
  if (tab.value === "journal") return <Later key="journal" load={parts.journal} props={{}} what="The journal" />;
  return (
    <>
      <h1 class="hidden">Rehearse your exports before they are live</h1>
      <div class="bench">
        <Compose />
        <Result />
      </div>
    </>
  );
}
