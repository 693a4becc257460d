/**
 * The path of the program for this machine, or that which REHEARSAL_BINARY names. It throws, and says what to do, where the package of
 * this machine is missing.
 */
export function binaryPath(): string;

/** A mock for the tests of a file. Nothing is started until a test asks for it. */
export function rehearsal(options?: RehearsalOptions): Rehearsal;

export interface StartOptions {
  /** Flags of `rehearsal serve`, which win over those that a server of tests has. */
  flags?: string[];
  /** How long the server may take to start, in milliseconds: 30000 by default. */
  timeout?: number;
}

export interface RehearsalOptions extends StartOptions {
  /** A server that runs already, with --credentials any; by default that of REHEARSAL_URL, or one that is started. */
  url?: string;
  /** The control token of that server; by default that of REHEARSAL_CONTROL_TOKEN. */
  token?: string;
  /** Which lints fail a test: "error" by default. */
  lints?: JudgedLints;
}

/** Which lints fail a test: errors, warnings as well, or none, which says them ("log") or does not. */
export type JudgedLints = "error" | "warning" | "log" | "ignore";

export interface TestOptions {
  /** The instant at which the clock of the scope stands still. */
  now?: Date | string;
  /** A scenario for every request, such as "outcome=error". */
  scenario?: string;
  /** Codes of lints that the test provokes. */
  allow?: string | string[];
  lints?: JudgedLints;
}

export class Rehearsal {
  constructor(options?: RehearsalOptions);
  /** The server, which is started by the first call. */
  server(): Promise<Server>;
  /**
   * The body of a test with a scope of its own, for `test` of node:test, Vitest and Jest, also of those that run concurrently. The
   * test fails when its client did what it should not; when it fails otherwise, the requests of the scope are reported.
   */
  test<Context extends unknown[]>(body: (scope: Scope, ...context: Context) => unknown): (...context: Context) => Promise<void>;
  test<Context extends unknown[]>(options: TestOptions, body: (scope: Scope, ...context: Context) => unknown): (...context: Context) => Promise<void>;
  /** Ends the server, if it was started here. One that is not closed ends with the process. */
  close(): Promise<void>;
}

export class Server {
  private constructor();
  /**
   * Starts the program: on a free port, with its state in memory, any credentials, 500 profiles, and exports that end with their third
   * lookup. It ends with this process, however that one ends.
   */
  static start(options?: StartOptions): Promise<Server>;
  /** A server that runs already, with --credentials any. */
  static at(url: string, options?: { token?: string }): Promise<Server>;
  readonly url: string;
  /** Calls a path below /_mock/. Members of the query that are undefined are left out. */
  control(method: string, name: string, request?: { body?: unknown; query?: Record<string, unknown> }): Promise<any>;
  /** A part of the server that belongs to one test, by its key. */
  scope(key?: string): Scope;
  close(): Promise<void>;
}

/** What belongs to one key: exports, clock, scenarios, dataset, journal and lints. Scopes disturb each other in nothing. */
export class Scope {
  private constructor();
  readonly server: Server;
  /** The application key and project key. */
  readonly key: string;
  /** The address of the export API. */
  readonly url: string;
  /** Credentials for the client. A server of tests accepts any. */
  companyKey: string;
  token: string;

  /** What the clock shows. */
  now(): Promise<Date>;
  /** Moves the clock forward, also one that stands still: by a number of seconds, or a text such as "21m". */
  advance(by: number | string): Promise<void>;
  /** Takes the place of a pause of the client: its clock moves, and nobody waits. */
  sleep: (milliseconds: number) => Promise<void>;
  /** Makes the clock show an instant, from where it goes on if it runs. */
  setTime(at: Date | string): Promise<void>;
  /** Stops the clock, where it is or at an instant. */
  freeze(at?: Date | string): Promise<void>;
  /** Lets the clock go on, at the speed of real time times the rate. */
  run(rate?: number): Promise<void>;

  /** Forces a scenario such as "error=MAINTENANCE_ERROR;retry-after=30s", for the requests that match, and so often; its identifier. */
  scenario(scenario: string, match?: ScenarioMatch): Promise<string>;
  clearScenarios(): Promise<void>;
  /** Adds rows to the dataset of this scope. */
  load(kind: "profiles" | "installations" | "events", ...rows: object[]): Promise<void>;
  /** Lets exports show the rows of the dataset "only", or "mixed" with the synthetic ones. */
  show(mode: "only" | "mixed"): Promise<void>;
  exports(): Promise<Record<string, any>[]>;
  /**
   * Which rows of the file of an export are late, come twice or have a wrong date: all of them, at once in memory, and their sums. An
   * export that is not there, or that has no file yet, throws a ControlError.
   */
  arrivals(exportId: string): Promise<Arrivals>;

  /** The requests for which all of the filter holds. */
  journal(filter?: JournalFilter): Promise<JournalEntry[]>;
  count(filter?: JournalFilter): Promise<number>;
  /** Lets the client do what has these codes: the test provokes it. */
  allow(...codes: string[]): void;
  /** What the client did wrong so far, but for what is allowed. */
  lints(): Promise<Lint[]>;
  /** Throws a LintError for what the client did wrong, and for what costs it time if warnings are asked for. */
  check(options?: { warnings?: boolean }): Promise<void>;
  /** Empties the scope. */
  reset(): Promise<void>;
}

export interface ScenarioMatch {
  times?: number;
  stage?: string;
  kind?: string;
  method?: string;
  path?: string;
  export?: string;
  [member: string]: unknown;
}

export interface JournalFilter {
  route?: string;
  /** A status such as "202", or a class such as "4xx". */
  status?: string;
  method?: string;
  /** A path without its query; with a star at its end, the beginning of one. */
  path?: string;
  export?: string;
  kind?: string;
  error?: string;
  /** The sequence of a request: only those after it. */
  since?: number;
}

/** A request of the journal: what was asked, what was decided, and why. */
export interface JournalEntry {
  sequence: number;
  request_id: string;
  time: string;
  real_time: string;
  clock_frozen?: boolean;
  duration_seconds: number;
  method: string;
  path: string;
  query?: string;
  route?: string;
  interface?: string;
  key?: string;
  credentials?: string[];
  user_agent?: string;
  request_bytes: number;
  body?: string;
  status: number;
  response_bytes: number;
  error?: Record<string, any>;
  retry_after_seconds?: number;
  /** The number of the recorded exchange that was answered, where a recording is replayed. */
  replayed?: number;
  /** Why a recording has no answer to the request. */
  not_recorded?: string;
  unjudged?: boolean;
  applied?: Record<string, any>[];
  kind?: string;
  export?: string;
  export_status?: string;
  parts?: number;
  listed?: any[];
  part?: number;
  open?: boolean;
  broken?: boolean;
  asked_from?: string;
  oldest_from?: string;
  reason: string;
}

/** Something that a client does and should not. */
export interface Lint {
  code: string;
  severity: "error" | "warning";
  rule: string;
  advice: string;
  key?: string;
  export?: string;
  message: string;
  count: number;
  requests: number[];
}

/** What a client should have met in a file: rows that are missing, come twice or have a wrong date. */
export interface Arrivals {
  /** How rows arrive, such as "late=0.03,72h0m0s"; empty when all are on time. */
  arrival: string;
  /** How many rows the file has, whatever a scenario cuts off. */
  rows: number;
  /** Rows of the window that had not arrived when the file was asked for. */
  missing: ArrivingRows;
  /** Rows that come twice in the file, or for the second time in it. */
  twice: ArrivingRows;
  /** Rows with the date of a wrong clock. */
  skewed: ArrivingRows;
  /** When the last missing row arrives; absent when none is missing. */
  complete_at?: string;
}

/** All rows of one sort, in the order of the file, and how many there are. */
export interface ArrivingRows {
  rows: number;
  examples: ArrivingRow[];
}

/** A row as the file writes it, when it happened, and from when on files have it: instants in UTC, by the clock of the scope. */
export interface ArrivingRow {
  happened_at: string;
  arrives_at: string;
  row: string;
}

/** The server refused to do what a test asked it for. */
export class ControlError extends Error {}

/** A client did what it should not. */
export class LintError extends Error {
  readonly lints: Lint[];
}
