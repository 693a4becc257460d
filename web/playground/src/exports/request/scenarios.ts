// What the header X-Mock-Scenario can say: the usual ones as a menu, all others to be typed.

import { parts } from "./parts";

type Part = keyof typeof parts;
type Labels = { readonly [choice in Part | `${Part}=${string}` | `file.${Part}=${string}`]?: string };

/** The groups of the menu: a title, and labels by scenario. */
export const scenarios: readonly (readonly [title: string, labels: Labels])[] = [
  ["How it proceeds", { "progress=now": "at once", "progress=manual": "by hand", "progress=stuck": "never" }],
  ["How it ends", { "outcome=error": "in ERROR", "rows=0": "with an empty file", truncated: "with half a last row", "link=none": "without a link" }],
  ["How the answer arrives", { "latency=2s": "after two seconds", "reset=after": "connection reset", "file.cut=1000": "file cut after 1,000 bytes" }],
  [
    "Refused at once",
    {
      "error=TOO_MANY_REQUESTS": "rate limited: 429",
      "error=SERVER_ERROR": "server error: 500",
      "error=MAINTENANCE_ERROR": "maintenance: 503",
    },
  ],
];

/** Every part, in ways to write it. */
export const forms: readonly string[] = Object.values(parts).flat();
