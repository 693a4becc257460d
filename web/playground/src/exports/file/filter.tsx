// The filter of a file: which rows to show, and how many they are. It is a survey of the whole file, and what it finds are places,
// so the rows themselves are fetched only when they come into view.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { counted } from "../../ui/format";
import type { ExportFile } from "./file";
import { rowsOf } from "./parse";
import { mostPlaces, placeOf, survey, type Survey } from "./survey";

/** The rows that are shown: all of them, or those that the filter wants. */
export interface Filtered {
  rows: number;
  row(row: number): readonly string[] | undefined;
  text: string;
  column: number;
  survey: Survey | undefined;
  /** Reads the file, with a filter or without one. */
  read(column?: number, text?: string): void;
  /** Shows everything again. */
  clear(): void;
}

/** Keeps the filter of a file. */
export function useFiltered(file: ExportFile, now: Survey | undefined, change: (next: Survey) => void): Filtered {
  const [wanted, want] = useState({ column: -1, text: "" });
  const [filter, setFilter] = useState<Survey | undefined>(undefined);
  const matched = useMemo(() => new Matched(file), [file]);
  const read = (column = -1, text = ""): void => {
    const begun = survey(file, { column, text });
    want({ column, text });
    if (text === "") {
      now?.stop();
      change(begun);
      return;
    }
    filter?.stop();
    matched.clear();
    setFilter(begun);
    if (!now) change(begun); // it counts everything on its way
  };
  const clear = (): void => {
    if (filter !== now) filter?.stop();
    setFilter(undefined);
    want({ column: -1, text: "" });
  };
  useEffect(() => () => now?.stop(), [now]);
  useEffect(() => () => filter?.stop(), [filter]);
  const found = filter?.found.value;
  if (!filter) return { rows: file.rows, row: (at) => file.row(at), ...wanted, survey: now, read, clear };
  const rows = found ? found.places.length / 3 : 0;
  return { rows, row: (at) => found && matched.row(at, placeOf(found, at)), ...wanted, survey: filter, read, clear };
}

/** A cache of matching rows, which are fetched one by one. */
class Matched {
  readonly #rows = new Map<number, readonly string[] | Promise<void>>();
  constructor(readonly file: ExportFile) {}

  clear(): void {
    this.#rows.clear();
  }

  row(at: number, place: ReturnType<typeof placeOf>): readonly string[] | undefined {
    const row = this.#rows.get(at);
    if (Array.isArray(row)) return row as readonly string[];
    if (!row && place) this.#rows.set(at, this.#load(at, place));
    return undefined;
  }

  async #load(at: number, place: NonNullable<ReturnType<typeof placeOf>>): Promise<void> {
    try {
      const [cells] = rowsOf(await this.file.fetch(place), this.file.kind, this.file.columns);
      this.#rows.set(at, cells ?? []);
    } catch (error) {
      this.#rows.set(at, []); // it is not asked for again and again
      this.file.trouble.value = error instanceof Error ? error.message : String(error);
    }
    for (const old of this.#rows.keys()) {
      if (this.#rows.size <= 500) break;
      this.#rows.delete(old);
    }
    this.file.version.value++;
  }
}

/** The field of the filter, and what it found. */
export function FilterBar({ file, filtered }: { file: ExportFile; filtered: Filtered }) {
  const typed = useMemo(() => signal(""), [file]);
  const column = useMemo(() => signal(-1), [file]);
  const values = file.columns[column.value]?.values ?? [];
  const apply = (event: Event): void => {
    event.preventDefault();
    if (typed.value.trim() === "") filtered.clear();
    else filtered.read(column.value, typed.value.trim());
  };
  return (
    <form class="filterbar" role="search" aria-label="Filter the rows" onSubmit={apply}>
      <label>
        <span class="hidden">In which column</span>
        <select value={String(column.value)} onChange={(e) => (column.value = Number(e.currentTarget.value))}>
          <option value="-1">any column</option>
          {file.columns.map((one, i) => (
            <option key={one.path.join(".")} value={String(i)}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label class="grow">
        <span class="hidden">Text to look for</span>
        <input
          type="search"
          placeholder="contains …"
          list="filter-values"
          value={typed.value}
          onInput={(e) => (typed.value = e.currentTarget.value)}
        />
        <datalist id="filter-values">
          {values.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <button type="submit" class="secondary">
        Filter
      </button>
      <button
        type="button"
        class="quiet"
        disabled={filtered.text === ""}
        onClick={() => {
          typed.value = "";
          filtered.clear();
        }}
      >
        Show all
      </button>
      <Count file={file} filtered={filtered} />
    </form>
  );
}

function Count({ file, filtered }: { file: ExportFile; filtered: Filtered }) {
  const found = filtered.survey?.found.value;
  const trouble = filtered.survey?.trouble.value;
  if (trouble) return <p class="refusal count">The file could not be read: {trouble}.</p>;
  if (filtered.survey && !found?.done) {
    const share = found ? Math.floor((found.bytes / Math.max(1, file.size)) * 100) : 0;
    return (
      <p class="note count" role="status">
        reading the file: {share} %{filtered.text !== "" && found && `, ${found.matches.toLocaleString("en")} so far`}
      </p>
    );
  }
  if (filtered.text === "" || !found) return <p class="note count">All rows are shown.</p>;
  return (
    <p class="note count" role="status">
      {found.matches.toLocaleString("en")} of {counted(found.rows, "row")}
      {found.matches > mostPlaces && `; the first ${mostPlaces.toLocaleString("en")} are shown`}
    </p>
  );
}
