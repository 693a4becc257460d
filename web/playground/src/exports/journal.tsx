// The journal: what clients asked, and what the lints say about how they do it.

/** The view of the journal. */
export function Journal() {
  return <p class="empty">The journal is not there yet.</p>;
}
