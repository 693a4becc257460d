// What the header X-Mock-Scenario can say, as a menu.

/** One choice of the menu. */
export interface Choice {
  value: string;
  label: string;
}

/** The menu, in groups. */
export const scenarios: readonly { title: string; choices: readonly Choice[] }[] = [
  {
    title: "How it proceeds",
    choices: [
      { value: "progress=now", label: "at once" },
      { value: "progress=time:30s", label: "30 seconds of the clock" },
      { value: "progress=time:10m", label: "ten minutes of the clock" },
      { value: "progress=polls:3", label: "one step every third lookup" },
      { value: "progress=manual", label: "by hand" },
      { value: "progress=stuck", label: "never" },
    ],
  },
  {
    title: "How it ends",
    choices: [
      { value: "outcome=error", label: "in ERROR" },
      { value: "rows=0", label: "with an empty file" },
      { value: "rows=1000", label: "with a thousand rows" },
      { value: "truncated", label: "with half a last row" },
      { value: "extra-date", label: "with a date too many" },
      { value: "bom", label: "with a byte-order mark" },
      { value: "crlf", label: "with CRLF line ends" },
      { value: "link=none", label: "without a link" },
      { value: "link=404", label: "with a dead link" },
    ],
  },
  {
    title: "How the answer arrives",
    choices: [
      { value: "latency=2s", label: "after two seconds" },
      { value: "reset=after", label: "not at all: reset" },
      { value: "file.cut=1000", label: "file cut after 1,000 bytes" },
      { value: "file.slow=64000", label: "file at 64 kB a second" },
      { value: "file.length=+10", label: "file shorter than it says" },
    ],
  },
  {
    title: "Refused at once",
    choices: [
      { value: "error=AUTHENTICATION_INVALID", label: "credentials: 401" },
      { value: "error=API_MISUSE", label: "not on the plan: 403" },
      { value: "error=CONFLICT", label: "user being processed: 409" },
      { value: "error=SERVER_ERROR", label: "server error: 500" },
      { value: "error=MAINTENANCE_ERROR", label: "maintenance: 503" },
    ],
  },
];

