// The columns of a file at a glance: what each means, and, once the file was read, what is in it.

import { Name } from "../../ui/parts";
import type { Column } from "../api/kinds";
import type { ExportFile } from "./file";
import { percent, topOf } from "./sums";
import type { Profile, Survey } from "./survey";

/** The columns, in the order of the file. */
export function Columns({ file, survey }: { file: ExportFile; survey: Survey | undefined }) {
  const found = survey?.found.value;
  return (
    <section class="columns" aria-label="Columns">
      <ul tabIndex={0} aria-label="Columns of the file">
        {file.columns.map((column, i) => (
          <li key={column.path.join(".")}>
            <p class="name">
              <Name>{column.path.join(".")}</Name> <span class="note">{column.type}</span>
            </p>
            {found?.done && <Contents column={column} profile={found.profiles[i]!} rows={found.rows} />}
            <p class="note">
              {column.about}
              {column.values.length > 0 && ` One of ${column.values.join(", ")}.`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Contents({ column, profile: { filled, counts, span }, rows }: { column: Column; profile: Profile; rows: number }) {
  const missing = rows - filled;
  // Values that hardly repeat say nothing by their number.
  const top = counts && counts.size > 0 && counts.size * 2 <= filled ? topOf(counts, filled, 3) : [];
  return (
    <>
      <p class="contents">
        {missing === 0 ? "Always there" : `${percent(missing / rows)} empty`},{" "}
        {counts ? `${counts.size.toLocaleString("en")} distinct` : "more than 1,000 distinct"}
      </p>
      {span && (
        <p class="contents">
          {span[0]} to {span[1]}
        </p>
      )}
      {top.length > 0 && column.type !== "date" && (
        <ol aria-label={`Most frequent values of ${column.name}`}>
          {top.map(({ name, note }) => (
            <li key={name}>
              <span class="share" style={{ width: note.replace(" ", "") }} aria-hidden="true" />
              <code>{name}</code> <span class="note">{note}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
