// The exports that prove the loop: each with the rows of the scene among all others.

import { counted } from "../ui/format";
import { Rows } from "../ui/rows";
import { makeProof, making, proof, type Finding } from "./proof";
import { deleteRecorded, names, recorded } from "./recorder";

/** The panel with the proof, and the way back. */
export function Proof() {
  return (
    <section class="card proof" aria-labelledby="proof-title">
      <h2 id="proof-title">
        3. What exports now contain
      </h2>
      <div class="buttons">
        <button type="button" class={recorded.value.length > 0 ? "primary" : "secondary"} aria-disabled={making.value} onClick={() => !making.value && void makeProof()}>
          Make the exports
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            proof.value = [];
            void deleteRecorded();
          }}
        >
          Reset
        </button>
      </div>
      {proof.value.length === 0 ? (
        <p class="empty">
          Makes an in-app campaign, a reachability and an attributes export, and shows their rows of “{names.profile}”. All other rows
          are synthetic. After a reset, new exports no longer contain yours.
        </p>
      ) : (
        proof.value.map((shown) => <One key={shown.kind} shown={shown} />)
      )}
    </section>
  );
}

function One({ shown }: { shown: Finding }) {
  const own = shown.ownRows ?? [];
  return (
    <section class="one" aria-label={shown.kind} data-state={shown.state}>
      <h3>
        {shown.kind} <span class="note">{shown.why}</span>
      </h3>
      {shown.state === "making" && <p class="note">Making it …</p>}
      {shown.state === "failed" && <p class="refusal">{shown.trouble}</p>}
      {shown.state === "there" && (
        <>
          <p class="note" role="status">
            {own.length === 0 ? "No rows from you yet." : `${counted(own.length, "row")} from you, of ${shown.rows ?? 0}.`}{" "}
            <a href={`#exports/file/${shown.id}`}>Open the export</a>
          </p>
          {own.length > 0 && <Rows label={`Your rows of ${shown.kind}`} heads={shown.heads!} rows={own} />}
        </>
      )}
    </section>
  );
}
