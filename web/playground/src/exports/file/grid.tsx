// A virtualized table: only the rows in view are on the page. Browsers end at some millions of pixels, so beyond that the
// scroll bar stands for a share of the file, while the wheel, the keys and a finger still go row by row.

import { signal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Column } from "../api/kinds";

const height = 30; // of a row, in pixels; the style sheet says the same
const tallest = 6_000_000;

/** What a table shows. */
export interface GridProps {
  label: string;
  columns: readonly Column[];
  rows: number;
  /** The cells of a row, or nothing while they are on their way. */
  row(row: number): readonly string[] | undefined;
  /** Changes when rows have come. */
  version: Signal<number>;
}

/** The table. */
export function Grid({ label, columns, rows, row, version }: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const top = useMemo(() => signal(0), []); // the first row in view, with a fraction
  const shown = useMemo(() => signal(12), []); // how many rows fit
  const width = useMemo(() => signal<readonly number[]>(columns.map(heading)), [columns]);
  const set = useRef(0); // where the scroll bar was put by this code
  const full = Math.min((rows + 1) * height, tallest);
  const scaled = (rows + 1) * height > tallest;
  const last = (): number => Math.max(0, rows - shown.value + 1);
  void version.value;

  const place = (next: number): void => {
    const element = box.current!;
    top.value = Math.max(0, Math.min(last(), next));
    const way = element.scrollHeight - element.clientHeight;
    set.current = Math.round(scaled ? (last() === 0 ? 0 : (top.value / last()) * way) : top.value * height);
    element.scrollTop = set.current;
    set.current = element.scrollTop;
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => void (shown.value = Math.max(3, Math.floor(element.clientHeight / height)));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => place(0), [rows, columns]);

  // The wheel goes row by row where the scroll bar cannot; a handler of the view would be passive.
  useEffect(() => {
    const element = box.current!;
    const turn = (event: WheelEvent): void => {
      if (!scaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      const by = event.deltaMode === 1 ? event.deltaY * height : event.deltaMode === 2 ? event.deltaY * element.clientHeight : event.deltaY;
      const next = top.value + by / height;
      if ((next < 0 && top.value === 0) || (next > last() && top.value >= last())) return;
      event.preventDefault();
      place(next);
    };
    let finger: number | undefined;
    let touched: EventTarget | null = null;
    // A finger stays with the row that it touched first, also when that has left the page: then nothing bubbles up to here.
    const down = (event: TouchEvent): void => {
      touched?.removeEventListener("touchmove", drag as EventListener);
      finger = event.touches[0]?.clientY;
      touched = event.target;
      touched?.addEventListener("touchmove", drag as EventListener, { passive: false });
    };
    const drag = (event: TouchEvent): void => {
      const now = event.touches[0]?.clientY;
      if (!scaled || finger === undefined || now === undefined) return;
      event.preventDefault();
      place(top.value + (finger - now) / height);
      finger = now;
    };
    element.addEventListener("wheel", turn, { passive: false });
    element.addEventListener("touchstart", down, { passive: true });
    return () => {
      element.removeEventListener("wheel", turn);
      element.removeEventListener("touchstart", down);
      touched?.removeEventListener("touchmove", drag as EventListener);
    };
  }, [scaled, rows]);

  const scroll = (): void => {
    const element = box.current!;
    if (Math.abs(element.scrollTop - set.current) < 1) return;
    set.current = element.scrollTop;
    const way = element.scrollHeight - element.clientHeight;
    top.value = scaled ? (way === 0 ? 0 : (element.scrollTop / way) * last()) : element.scrollTop / height;
  };

  const press = (event: KeyboardEvent): void => {
    const page = shown.value - 2;
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (to === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    place(to === -Infinity ? 0 : to === Infinity ? last() : (to > 0 ? Math.floor(top.value) : Math.ceil(top.value)) + to);
  };

  const first = Math.floor(top.value);
  const visible = Array.from({ length: Math.max(0, Math.min(shown.value + 1, rows - first)) }, (_, i) => first + i);
  const cells = visible.map((at) => [at, row(at)] as const);
  const widths = fitted(width, columns, cells);
  const template = `${Math.max(6, String(rows).length + 3)}ch ${widths.map((n) => `${n}ch`).join(" ")}`;
  const offset = scaled ? set.current - (top.value - first) * height : first * height;
  return (
    <div
      class={`grid ${scaled ? "scaled" : ""}`}
      ref={box}
      role="table"
      aria-label={label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      style={{ maxHeight: `${full + 18}px` }}
      onScroll={scroll}
      onKeyDown={press}
    >
      <div class="canvas" style={{ height: `${full}px` }}>
        <div class="row head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          <span role="columnheader" class="number">
            row
          </span>
          {columns.map((column) => (
            <span key={column.path.join(".")} role="columnheader" title={`${column.about} (${column.type})`}>
              {column.name} <small>{column.type}</small>
            </span>
          ))}
        </div>
        <div class="body" style={{ transform: `translateY(${offset}px)` }}>
          {cells.map(([at, row]) => (
            <div
              key={at}
              class={`row ${row ? "" : "coming"} ${at % 2 ? "odd" : ""}`}
              role="row"
              aria-rowindex={at + 2}
              style={{ gridTemplateColumns: template }}
            >
              <span role="rowheader" class="number">
                {(at + 1).toLocaleString("en")}
              </span>
              {columns.map((column, i) => (
                <span key={column.path.join(".")} role="cell" class={column.type}>
                  {row ? row[i] : ""}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

const heading = ({ name, type }: Column): number => name.length + type.length + 4;

// Columns grow to what was seen in them, up to a limit, and never shrink: what one reads stays where it is.
function fitted(
  width: Signal<readonly number[]>,
  columns: readonly Column[],
  cells: readonly (readonly [number, readonly string[] | undefined])[],
): readonly number[] {
  const now = width.peek();
  const next = columns.map((column, i) =>
    cells.reduce((most, [, row]) => Math.max(most, Math.min(40, (row?.[i]?.length ?? 0) + 2)), now[i] ?? heading(column)),
  );
  if (next.some((n, i) => n !== now[i])) width.value = next;
  return next;
}
