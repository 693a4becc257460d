// The keys that run the call from anywhere in the view, also from inside the editor; the button names them.

import { runCall } from "../sessions/call";
import { beside, target } from "../sessions/state";

/** Listens for the keys. `active` says whether they mean anything now. */
export function listen(active: () => boolean): void {
  const onKey = (event: KeyboardEvent): void => {
    if (!active() || event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    target.value = event.shiftKey ? "phone" : beside.value;
    runCall();
  };
  addEventListener("keydown", onKey, { capture: true });
}
