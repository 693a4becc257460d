// A list of faults, each with its place.

import type { ComponentChildren } from "preact";

/** One fault. */
export interface FaultLine {
  place: string;
  message: string;
  /** The rule that is broken. */
  rule: ComponentChildren;
  /** The text around the fault, with the fault marked. */
  excerpt?: ComponentChildren;
}

/** The faults, in their order. */
export const FaultList = ({ faults }: { faults: readonly FaultLine[] }) => (
  <ol class="faultlist">
    {faults.map(({ place, message, rule, excerpt }, i) => (
      <li key={i}>
        <p>
          <span class="place">{place}</span> {message} <span class="note">({rule})</span>
        </p>
        {excerpt}
      </li>
    ))}
  </ol>
);
