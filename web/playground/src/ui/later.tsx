// A part of the page that is loaded when it is first shown, with words for the time until then and for when it does not come.

import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Shows a component whose module is loaded now. */
export function Later<P extends object>(props: {
  load(): Promise<ComponentType<P>>;
  props: P;
  /** What is being loaded, at the beginning of a sentence. */
  what: string;
}) {
  const [part, setPart] = useState<{ shown?: ComponentType<P>; failed?: true }>({});
  const load = (): void => {
    setPart({});
    props.load().then(
      (shown) => setPart({ shown }),
      () => setPart({ failed: true }),
    );
  };
  useLayoutEffect(load, []); // before the first paint, which would hold it up
  const Shown = part.shown;
  if (Shown) return <Shown {...props.props} />;
  if (!part.failed) return <p class="note loading">Loading …</p>;
  return (
    <div class="trouble" role="alert">
      <p>{props.what} could not be loaded. Is the server still running?</p>
      <button type="button" class="secondary" onClick={load}>
        Try again
      </button>
    </div>
  );
}
