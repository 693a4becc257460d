// The exports half: make an export and watch it, check files, and see what clients did.

import { useLayoutEffect } from "preact/hooks";
import "../style/exports.css";
import "../style/file.css";
import "../style/checks.css";
import { reachable } from "../server/client";
import { tokenChanges } from "../server/token";
import { TokenForm } from "../server/tokenform";
import { Later } from "../ui/later";
import { Described } from "./api/described";
import { ClockBar } from "./clock/clockbar";
import { RequestAsCurl } from "./request/codepanel";
import { Compose } from "./request/compose";
import { draftOf, restore } from "./request/draft";
import { follow, tab, tabs, unreadable } from "./route";
import { List } from "./runs/list";
import type { Run } from "./runs/runs";
import { Watch } from "./runs/watch";

// What is shown later; each comes while the schemas are read, since neither needs the other.
const parts = {
  person: () => import("./person/person").then((m) => m.Person),
  validate: () => import("./checks/validate").then((m) => m.Validate),
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
  return (
    <div class="exports">
      <nav class="tabs" aria-label="Views of the exports">
        {tabs.map(([name, title]) => (
          <a key={name} href={name ? `#exports/${name}` : "#exports"} aria-current={tab.value === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {!reachable.value && (
        <div class="trouble slim" role="alert">
          <p>The server does not answer. Is it still running? The page keeps trying; what it shows may be out of date.</p>
        </div>
      )}
      {unreadable.value && (
        <div class="trouble slim" role="alert">
          <p>This link could not be read, perhaps because part of it was lost. You are looking at an example instead.</p>
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
  return (
    <>
      {tab.value === "" && <Make />}
      {tab.value === "person" && <Later key="person" load={parts.person} props={{}} what="The person" />}
      {tab.value === "validate" && (
        <Later key="validate" load={parts.validate} props={{}} what="The checks" />
      )}
      {tab.value === "journal" && <Later key="journal" load={parts.journal} props={{}} what="The journal" />}
    </>
  );
}

function reuse(run: Run): void {
  restore(draftOf(run));
  document.getElementById("compose")?.focus();
}

function Make() {
  return (
    <>
      <div class="intro">
        <h1>
          Rehearse your exports <span>before they are live.</span>
        </h1>
        <p>
          Send a request, watch its export on a clock you control, and open the file. All data is synthetic.
        </p>
      </div>
      <div class="bench">
        <Compose />
        <ClockBar />
        <List />
        <div class="outcome">
          <Watch onReuse={reuse} />
          <RequestAsCurl />
        </div>
      </div>
    </>
  );
}
