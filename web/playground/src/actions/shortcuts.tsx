// The keyboard shortcuts: what they are, shown in a dialog, and what they do.

import { effect, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { HostName } from "../hosts/names";
import { runCall } from "../sessions/call";
import { target } from "../sessions/state";
import { go, modifier, Tick } from "../ui/parts";
import { focusPayload } from "./payload";
import { unfold } from "./picker";

/** Whether the dialog is open. */
export const help = signal(false);

const read = (): boolean => {
  try {
    return localStorage.getItem("keys") !== "off";
  } catch {
    return true;
  }
};
const single = signal(read());
effect(() => {
  try {
    localStorage.setItem("keys", single.value ? "on" : "off");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
});

// The panel of a host that was not chosen is there after the next rendering.
function goTo(name: HostName): void {
  if (target.value !== "both") target.value = name;
  setTimeout(() => go(`host-${name}`));
}

const letters: Record<string, { does: string; act(): void }> = {
  "/": { does: "Filter the actions", act: () => unfold(() => go("filter")) },
  e: { does: "Edit the arguments", act: focusPayload },
  b: { does: "Go to this browser", act: () => goTo("browser") },
  p: { does: "Go to the phone", act: () => goTo("phone") },
  r: { does: "Go to the results", act: () => go("results") },
  "?": { does: "Show these shortcuts", act: () => void (help.value = true) },
};

/** Whether keys that are typed here are text. */
function typing(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as HTMLElement;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Listens for the shortcuts. `active` says whether they mean anything now. */
export function listen(active: () => boolean): void {
  const onKey = (event: KeyboardEvent): void => {
    if (!active() || help.value || event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      target.value = event.shiftKey ? "phone" : "browser";
      runCall();
      return;
    }
    if (!single.value || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const letter = letters[event.key];
    if (!letter) return;
    event.preventDefault();
    letter.act();
  };
  addEventListener("keydown", onKey, { capture: true });
}

/** The dialog with the shortcuts. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (help.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [help.value]);
  return (
    <dialog class="help card" ref={dialog} aria-labelledby="help-title" onClose={() => (help.value = false)}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl>
        <div>
          <dt>
            <kbd>{modifier}</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>Perform or trigger in this browser</dd>
        </div>
        <div>
          <dt>
            <kbd>{modifier}</kbd> <kbd>Shift</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>Perform or trigger on the phone</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>Space</kbd>
          </dt>
          <dd>Complete in the arguments</dd>
        </div>
        {Object.entries(letters).map(([key, { does }]) => (
          <div key={key}>
            <dt>
              <kbd>{key.toUpperCase()}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Tick
        label="Single-key shortcuts"
        hint="They never act while you type in a field."
        checked={single.value}
        onChange={(on) => (single.value = on)}
      />
      <form method="dialog">
        <button class="primary" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
