// Something as code, in a language that is chosen once for the whole page.

import { signal } from "@preact/signals";
import { CopyButton, Segmented } from "./parts";

const language = signal("");

/** A language, with whatever else is known of it. */
interface Language {
  name: string;
  title: string;
}

/** Something in one of several languages, to copy. */
export function Code<L extends Language>(props: { what: string; languages: readonly L[]; written(language: L): string }) {
  const chosen = props.languages.find(({ name }) => name === language.value) ?? props.languages[0]!;
  const written = props.written(chosen);
  const label = `${props.what} in ${chosen.title}`;
  return (
    <div class="code">
      <div class="bar">
        <Segmented
          legend={`${props.what} in`}
          hideLegend
          value={chosen.name}
          options={props.languages.map(({ name, title }) => [name, title] as const)}
          onChange={(next) => (language.value = next)}
        />
        <CopyButton text={() => written} what={label}>
          Copy
        </CopyButton>
      </div>
      <div class="command">
        <pre tabIndex={0} aria-label={label}>
          {written}
        </pre>
      </div>
    </div>
  );
}
