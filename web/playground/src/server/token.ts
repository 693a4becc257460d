// The control token. A server that is reached from other machines asks for one on the paths under /_mock/; the page asks the user,
// and keeps it as long as the tab.

import { signal } from "@preact/signals";

/** Under which name the session keeps the token. */
const storageKey = "control-token";

function stored(): string {
  try {
    return sessionStorage.getItem(storageKey) ?? "";
  } catch {
    return "";
  }
}

/** The token; "" when none was given. */
export const token = signal(stored());
/** Whether the server wants a token that it does not get: none was given, or another one. */
export const tokenWanted = signal<"" | "missing" | "wrong">("");
/** Counts the tokens that were given, so that what was refused is asked again. */
export const tokenChanges = signal(0);

/** Takes a token, for this tab only. */
export function setToken(text: string): void {
  token.value = text.trim();
  tokenWanted.value = "";
  try {
    if (token.value) sessionStorage.setItem(storageKey, token.value);
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage it is kept as long as the page.
  }
  tokenChanges.value++;
}

/** Whether a path is one of those that a token opens. No other gets the token: those of the export API carry keys of their own. */
export const controlled = (path: string): boolean => path.startsWith("/_mock/");

/** Learns from the answer to a request whether a token is wanted; `tokenUsed` is the one that it was made with. */
export function noteStatus(path: string, status: number, tokenUsed: string): void {
  if (!controlled(path) || tokenUsed !== token.value) return;
  tokenWanted.value = status !== 401 ? "" : tokenUsed ? "wrong" : "missing";
}
