/**
 * The support code of the toolchain that built the program. The build makes this module of the toolchain's wasm_exec.js,
 * wrapped in a function so that it sees the given globals instead of the page's and leaves none behind.
 */
declare module "go-runtime" {
  /** What the support code of either toolchain makes. */
  interface Runtime {
    readonly importObject: Record<string, Record<string, WebAssembly.ImportValue>>;
    run(instance: WebAssembly.Instance): Promise<void>;
  }
  /** What that of Go makes. */
  export interface Go extends Runtime {
    exit: (code: number) => void;
    _resume(): void;
    readonly _scheduledTimeouts: Map<number, ReturnType<typeof setTimeout>>;
  }
  /** What that of TinyGo makes: a table of the page's values, which numbers are free, and which value has which. */
  export interface TinyGo extends Runtime {
    readonly _values: unknown[];
    readonly _idPool: bigint[];
    _ids: Map<unknown, bigint>;
  }
  /** Runs the support code against these globals and returns its class. */
  export function makeGo<Kind extends Runtime>(globals: object): new () => Kind;
}
