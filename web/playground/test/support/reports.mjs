// Reports as mockserver proxy and compare write them with --format json.

const lines = (...objects) => objects.map((each) => JSON.stringify(each)).join("\n") + "\n";

const where = (route, side, pointer, status) => ({ interface: "legacy", route, side, pointer, ...(status && { status }) });

/** Of the proxy: three drifts, of which one is known, and what the client should not do. */
export const driftReport = lines(
  {
    finding: {
      id: "4f21c0aa9d01",
      where: where("legacy.status", "answer", "/status", 200),
      kind: "unknown-state:PACKING",
      severity: "high",
      allowed: "one of CREATED, PENDING, SUCCESS, ERROR",
      came: '"PACKING"',
      sample: '{"id":"0a0a0a0a-0000-0000-0000-000000000000","status":"AAAAAAA"}',
      count: 12,
      first: 4,
      last: 40,
      overlay: [{ file: "legacy/interface.json", pointer: "/x-interface/states/2", change: 'add {"name": "PACKING", "role": "running"}' }],
    },
    state: "new",
  },
  {
    finding: {
      id: "0d5a7b7f3321",
      where: where("userbase", "file", "/loyalty"),
      kind: "additional-column",
      severity: "medium",
      allowed: "no such column",
      came: "loyalty after smart_segment",
      count: 1,
      first: 7,
      last: 7,
      overlay: [{ file: "legacy/userbase.row.json", pointer: "/properties", change: "add loyalty" }],
    },
    state: "known",
  },
  {
    finding: {
      id: "77aa01c2d4e5",
      where: where("legacy.status", "answer", "X-Quota-Left", 200),
      kind: "additional-header",
      severity: "low",
      allowed: "no such header",
      came: 'a string like "00"',
      count: 31,
      first: 1,
      last: 40,
    },
    state: "new",
  },
  { lint: { code: "polled_too_fast", severity: "warning", message: "export 0a0a0a0a was looked up 9 times within a second", advice: "Wait longer." } },
  { summary: { exchanges: 40, known: 38, files: 3, unchecked_files: 0, faults: 0, routes: { userbase: 1 }, unseen: ["profiles.list"], gone: null, findings: 3, lints: 1 } },
);

/** Of compare: one difference, and a conversation that is undecided. */
export const comparison = lines(
  {
    difference: {
      id: "0e12f06d2a93",
      where: "GET link to legacy/userbase",
      about: "column loyalty",
      kind: "column",
      severity: "medium",
      a: "has none",
      b: "has a column",
      count: 2,
      seen: ["userbase/file", "legacy-links/at once"],
    },
    state: "new",
  },
  { conversation: { name: "userbase", about: "A userbase.", differs: ["0e12f06d2a93"] } },
  { conversation: { name: "filtered-rate", about: "Ten at once.", undecided: "it waits for 2h0m0s, and --patience allows 1m0s" } },
  { summary: { differences: 1, conversations: 2, undecided: 1, gone: null } },
);

const cause = "5e0a11c7b2d3";
const status = "9b1f00aa12cd";
const following = (id, where, follows) => ({
  difference: { id, where, about: "status", kind: "status", severity: "high", a: "has 202", b: "has 404", count: 1, seen: ["userbase/create"], relation: { follows } },
  state: "new",
});

/** Of compare: a cause with what follows from it, of which something follows as well, and a difference of which not all steps saw the same. */
export const related = lines(
  {
    difference: {
      id: cause,
      where: "every path under /2.7",
      about: "status",
      kind: "cause",
      severity: "high",
      a: "has 202, 400",
      b: "has 404",
      count: 45,
      seen: ["profiles-events/create", "profiles-links/create"],
      relation: {
        says: "b answers 404 to every request under /2.7",
        advice: "is --b the address with its base path, and does the service speak this version?",
        hinders: ["profiles-events", "profiles-links"],
      },
    },
    state: "new",
  },
  following(status, "POST /2.7/profiles/export", cause),
  following("9b1f00aa12ce", "GET /2.7/exports/view", cause),
  following("9b1f00aa12cf", "POST /2.7/profiles/export", status),
  {
    difference: {
      id: "12ab34cd56ef",
      where: "POST /1.0/{api_key}/export/userbase",
      about: "header Content-Type",
      kind: "header",
      severity: "high",
      a: "has a text application/json",
      b: "has a text text/plain",
      count: 3,
      seen: ["legacy-refusals/no JSON", "creation-authentication/legacy without"],
      pairs: [
        { a: "has a text application/json", b: "has a text text/plain", seen: ["legacy-refusals/no JSON"] },
        { a: "has a text application/json", b: "has none", seen: ["creation-authentication/legacy without"] },
      ],
    },
    state: "new",
  },
  { conversation: { name: "profiles-events", about: "Events.", differs: [cause, status], hindered: cause } },
  { summary: { differences: 2, following: 3, conversations: 1, undecided: 0, gone: [] } },
);
