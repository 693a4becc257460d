// The field for the control token, where the server asks for one.

import { useRef } from "preact/hooks";
import { setToken, tokenWanted } from "./token";

/** Asks for the control token; nothing while none is wanted. */
export function TokenForm() {
  const field = useRef<HTMLInputElement>(null);
  const now = tokenWanted.value;
  if (!now) return null;
  return (
    <form
      class={`trouble access ${now}`}
      aria-label="Control token"
      onSubmit={(e) => {
        e.preventDefault();
        if (field.current?.value.trim()) setToken(field.current.value);
      }}
    >
      <p role="alert">
        <strong>{now === "wrong" ? "That is not the control token of this server." : "This server asks for its control token."}</strong>{" "}
        It was printed when the server started, or given with <code>--control-token</code>. The clock, the exports, their files and the journal need it.
      </p>
      <div class="levers">
        <label class="field">
          <span class="hidden">Control token</span>
          <input
            ref={field}
            type="password"
            class="mono"
            autocomplete="off"
            spellcheck={false}
            placeholder="Control token"
            aria-invalid={now === "wrong"}
          />
        </label>
        <button type="submit" class="primary">
          Use it
        </button>
      </div>
      <p class="note">Kept in this tab until it is closed, and sent to this server only.</p>
    </form>
  );
}
