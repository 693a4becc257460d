// A virtualized table: only the rows in view are on the page. Browsers end at some millions of pixels, so beyond that the
// scroll bar stands for a share of the file, while the wheel, the keys and a finger still go row by row. Whatever moves the table or brings
// rows is drawn once, in the next frame, and nothing is asked of the layout on the way: that would have it computed there and then.

import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
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
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  // `top` is the first row in view, with a fraction; `put` is where the scroll bar goes in the next frame, `set` where it was put or found.
  const state = useRef({ top: 0, put: -1, set: 0, view: 12 * height, frame: 0 }).current;
  const widest = useMemo<{ now: readonly number[] }>(() => ({ now: [] }), [columns]);
  const full = Math.min((rows + 1) * height, tallest);
  const scaled = (rows + 1) * height > tallest;
  const shown = (): number => Math.max(3, Math.floor(state.view / height));
  const last = (): number => Math.max(0, rows - shown() + 1);
  const way = (): number => Math.max(0, full - state.view);

  const frame = (): void => {
    state.frame = 0;
    if (state.put >= 0) box.current!.scrollTop = state.set = state.put; // before anything is drawn
    state.put = -1;
    draw(undefined);
  };
  const soon = (): void => void (state.frame ||= requestAnimationFrame(frame));

  const place = (next: number): void => {
    state.top = Math.max(0, Math.min(last(), next));
    state.put = Math.round(scaled ? (last() === 0 ? 0 : (state.top / last()) * way()) : state.top * height);
    soon();
  };

  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      state.view = Math.round(entry!.contentRect.height); // as the layout rounds it
      draw(undefined);
    });
    observer.observe(box.current!);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(state.frame);
    };
  }, []);

  useEffect(() => version.subscribe(soon), [version]);
  useEffect(() => place(0), [rows, columns]);

  // The wheel goes row by row where the scroll bar cannot; a handler of the view would be passive.
  useEffect(() => {
    const element = box.current!;
    const turn = (event: WheelEvent): void => {
      if (!scaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      const by = event.deltaMode === 1 ? event.deltaY * height : event.deltaMode === 2 ? event.deltaY * state.view : event.deltaY;
      const next = state.top + by / height;
      if ((next < 0 && state.top === 0) || (next > last() && state.top >= last())) return;
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
      place(state.top + (finger - now) / height);
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

  // The browser calls this as a frame begins, when the layout is as it was drawn.
  const scroll = (): void => {
    const now = box.current!.scrollTop;
    if (Math.abs(now - state.set) < 1) return;
    state.set = now;
    state.put = -1;
    state.top = scaled ? (way() === 0 ? 0 : Math.min(1, now / way()) * last()) : now / height;
    soon();
  };

  const press = (event: KeyboardEvent): void => {
    const page = shown() - 2;
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (to === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    place(to === -Infinity ? 0 : to === Infinity ? last() : (to > 0 ? Math.floor(state.top) : Math.ceil(state.top)) + to);
  };

  const first = Math.floor(state.top);
  const pool = shown() + 1;
  const visible = Array.from({ length: Math.max(0, Math.min(pool, rows - first)) }, (_, i) => first + i);
  const cells = visible.map((at) => [at, row(at)] as const);
  const widths = (widest.now = fitted(widest.now, columns, cells));
  const template = `${Math.max(6, String(rows).length + 3)}ch ${widths.map((n) => `${n}ch`).join(" ")}`;
  const offset = scaled ? state.set - (state.top - first) * height : first * height;
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
              key={at % pool} // elements are used again, those of rows that stay for the same rows
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
  now: readonly number[],
  columns: readonly Column[],
  cells: readonly (readonly [number, readonly string[] | undefined])[],
): readonly number[] {
  return columns.map((column, i) =>
    cells.reduce((most, [, row]) => Math.max(most, Math.min(40, (row?.[i]?.length ?? 0) + 2)), now[i] ?? heading(column)),
  );
}
