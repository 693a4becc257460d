// Rows of a file as a table, a page at a time: any row of any file is one number away.

import { useEffect, useState } from "preact/hooks";
import { reason } from "../../server/client";
import { counted } from "../../ui/format";
import type { Column } from "../api/kinds";
import type { Row } from "./file";

const size = 100; // rows of a page

/** The table of `total` rows. `load` gives those from one on and before another; another function shows other rows. */
export function Table({ label, columns, total, load }: { label: string; columns: readonly Column[]; total: number; load(from: number, to: number): Promise<Row[]> }) {
  const [from, go] = useState(0);
  const [rows, show] = useState<readonly Row[]>([]);
  const [trouble, tell] = useState("");
  useEffect(() => go(0), [load]);
  useEffect(() => {
    let gone = false;
    load(from, Math.min(from + size, total)).then(
      (loaded) => {
        if (gone) return;
        show(loaded);
        tell("");
      },
      (error: unknown) => gone || tell(reason(error)),
    );
    return () => void (gone = true);
  }, [load, from, total]);
  const to = (next: number): void => go(Math.max(0, Math.min(total - 1, next)));
  return (
    <>
      <div class="grid" tabIndex={0} role="group" aria-label={label}>
        <table aria-rowcount={total + 1}>
          <thead>
            <tr>
              <th scope="col">row</th>
              {columns.map(({ path, name, type, about, values }) => (
                <th key={path.join(".")} scope="col" title={`${about}${values.length > 0 ? ` One of ${values.join(", ")}.` : ""}`}>
                  {name} <small>{type}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, cells }) => (
              <tr key={number} aria-rowindex={number + 1}>
                <th scope="row">{number.toLocaleString("en")}</th>
                {columns.map(({ path }, i) => (
                  <td key={path.join(".")}>{cells[i]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {trouble && <p class="refusal">Some rows could not be fetched: {trouble}.</p>}
      {total > size && (
        <div class="levers pager">
          <button type="button" class="secondary" disabled={from === 0} onClick={() => to(from - size)}>
            Previous
          </button>
          <button type="button" class="secondary" disabled={from + size >= total} onClick={() => to(from + size)}>
            Next
          </button>
          <label>
            From row <input type="number" min={1} max={total} value={from + 1} onChange={(e) => to(Number(e.currentTarget.value) - 1)} />
          </label>
          <span class="note">of {counted(total, "row")}</span>
        </div>
      )}
    </>
  );
}
