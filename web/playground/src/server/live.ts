// Changes by other clients are seen within a second: what is shown is asked again, while the page is in view.

import { tokenWanted } from "./token";

const questions = new Set<() => Promise<void>>();
let timer: ReturnType<typeof setTimeout> | undefined;

async function round(): Promise<void> {
  if (document.visibilityState === "visible" && tokenWanted.peek() === "") await Promise.all([...questions].map((ask) => ask()));
  timer = questions.size > 0 ? setTimeout(() => void round(), 1000) : undefined;
}

/** Asks now and again and again, until the returned function is called. */
export function keepAsking(ask: () => Promise<void>): () => void {
  questions.add(ask);
  void ask();
  timer ??= setTimeout(() => void round(), 1000);
  return () => void questions.delete(ask);
}
