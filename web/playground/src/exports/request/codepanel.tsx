// The request as a command or a program.

import { signal } from "@preact/signals";
import { CopyButton, Segmented } from "../../ui/parts";
import { languages } from "./code";
import { prepared } from "./draft";

const language = signal(languages[0]!.name);

/** The request in the language that was chosen. */
export function Code() {
  const { name, title, write } = languages.find((one) => one.name === language.value) ?? languages[0]!;
  const written = write(prepared.value, location.origin);
  return (
    <section class="code card" aria-labelledby="code-title">
      <div class="bar">
        <h2 id="code-title">Request as code</h2>
        <Segmented
          legend="The request in"
          hideLegend
          value={name}
          options={languages.map((one) => [one.name, one.title] as const)}
          onChange={(next) => (language.value = next)}
        />
        <CopyButton text={() => written} what={`The request in ${title}`}>
          Copy
        </CopyButton>
      </div>
      <div class="command">
        <pre tabIndex={0} aria-label={`The request in ${title}`}>
          {written}
        </pre>
      </div>
    </section>
  );
}
