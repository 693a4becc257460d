// What the header X-Mock-Scenario can say, as a menu.

import { parts } from "./parts";

type Part = keyof typeof parts;
type Labels = { readonly [choice in Part | `${Part}=${string}` | `file.${Part}=${string}`]?: string };
type Group = readonly [title: string, labels: Labels];

const groups: readonly Group[] = [
  [
    "How it proceeds",
    {
      "progress=now": "at once",
      "progress=time:30s": "30 seconds of the clock",
      "progress=time:10m": "ten minutes of the clock",
      "progress=polls:3": "one step every third lookup",
      "progress=manual": "by hand",
      "progress=stuck": "never",
    },
  ],
  [
    "How it ends",
    {
      "outcome=error": "in ERROR",
      "rows=0": "with an empty file",
      "rows=1000": "with a thousand rows",
      truncated: "with half a last row",
      "extra-date": "with a date too many",
      bom: "with a byte-order mark",
      crlf: "with CRLF line ends",
      "link=none": "without a link",
      "link=404": "with a dead link",
    },
  ],
  [
    "How the answer arrives",
    {
      "latency=2s": "after two seconds",
      "reset=after": "not at all: reset",
      "file.cut=1000": "file cut after 1,000 bytes",
      "file.slow=64000": "file at 64 kB a second",
      "file.length=+10": "file shorter than it says",
    },
  ],
  [
    "Refused at once",
    {
      "error=AUTHENTICATION_INVALID": "credentials: 401",
      "error=API_MISUSE": "not on the plan: 403",
      "error=TOO_MANY_REQUESTS": "rate limited: 429",
      "error=CONFLICT": "user being processed: 409",
      "error=SERVER_ERROR": "server error: 500",
      "error=MAINTENANCE_ERROR": "maintenance: 503",
    },
  ],
];

const named = new Set(groups.flatMap(([, labels]) => Object.keys(labels).map((choice) => choice.replace(/^file\.|=.*/g, ""))));
const others = Object.entries(parts).flatMap(([part, forms]) => (named.has(part) ? [] : forms));

/** The groups of the menu: a title, and labels by scenario. A part without a label of its own stands as it is written. */
export const scenarios: readonly Group[] = [...groups, ["Else", Object.fromEntries(others.map((form) => [form, form]))]];
