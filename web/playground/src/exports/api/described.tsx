// What can be shown only when the server has said which exports there are.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { server } from "../../server/address";
import { reachable, reason } from "../../server/client";
import { catalog, readCatalog } from "./kinds";

/** Shows its children when the schemas of the server were read, and why they could not be. */
export function Described({ children }: { children: ComponentChildren }) {
  const [trouble, setTrouble] = useState("");
  const ask = (): void => {
    setTrouble("");
    readCatalog().catch((error: unknown) => setTrouble(reason(error)));
  };
  const there = reachable.value;
  useLayoutEffect(() => {
    if (there || catalog.peek().kinds.length === 0) ask(); // and again when the server has come back
  }, [there]);
  if (catalog.value.kinds.length > 0) return <>{children}</>;
  if (trouble === "") return <p class="note loading">Reading the schemas of the server …</p>;
  return (
    <div class="trouble" role="alert">
      <p>
        The page asks {server()} which exports there are, and what they look like, and got no answer that it can use: {trouble}. Start a mock server at
        this address (<code>mockserver serve</code>), or open the page that such a server shows.
      </p>
      <button type="button" class="secondary" onClick={ask}>
        Ask again
      </button>
    </div>
  );
}
