// The icons of the page, drawn on a grid of sixteen. They are decoration: every use has words beside it or on it.

import type { JSX } from "preact";

function icon(...paths: string[]): () => JSX.Element {
  return () => (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {paths.map((d) => (
        <path d={d} />
      ))}
    </svg>
  );
}

export const Link = icon("M6.5 9.5l3-3", "M7 4.5l1.2-1.2a2.8 2.8 0 0 1 4 4L11 8.5", "M9 11.5l-1.2 1.2a2.8 2.8 0 0 1-4-4L5 7.5");
export const Check = icon("M3 8.6l3.2 3.2L13 4.8");
export const Cross = icon("M4 4l8 8M12 4l-8 8");
export const Warn = icon("M8 5.2v3.6M8 11.4h.01", "M8 1.8l6.6 12H1.4z");
export const Bar = icon("M4 8h8");
export const Hand = icon(
  "M5.4 8.4V4.2a1 1 0 0 1 2 0v3.4M7.4 7V3a1 1 0 0 1 2 0v4.4M9.4 4.6a1 1 0 0 1 2 0v4.6c0 3-1.4 4.8-3.6 4.8-1.8 0-2.6-.8-3.4-2.2L3 9.4a1 1 0 0 1 1.7-1.1l.7.9",
);
export const Pause = icon("M5.5 4v8M10.5 4v8");
export const Again = icon("M13 8a5 5 0 1 1-1.5-3.6", "M12 1.8v2.9H9.1");
export const Plus = icon("M8 3.5v9M3.5 8h9");

/** The mark of the project: a triangle that says play. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
    <rect width="16" height="16" rx="4" fill="var(--accent)" />
    <path d="M5.4 4.2v7.6L11.6 8z" fill="var(--accent-ink)" />
  </svg>
);
