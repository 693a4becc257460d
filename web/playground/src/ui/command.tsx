// A command to copy.

import { CopyButton } from "./parts";

/** A text with a button that copies it. */
export const Command = ({ label, text }: { label: string; text: string }) => (
  <div class="command">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <CopyButton class="copy" text={() => text} what={label}>
      Copy
    </CopyButton>
  </div>
);
