/**
 * The support code of the Go toolchain that built the program. The build makes this module of the toolchain's wasm_exec.js,
 * wrapped in a function so that it sees the given globals instead of the page's and leaves none behind.
 */
declare module "go-runtime" {
  /** What the support code makes. */
  export interface Go {
    readonly importObject: Record<string, Record<string, WebAssembly.ImportValue>>;
    exited: boolean;
    exit: (code: number) => void;
    run(instance: WebAssembly.Instance): Promise<void>;
    _resume(): void;
    readonly _scheduledTimeouts: Map<number, ReturnType<typeof setTimeout>>;
  }
  /** Runs the support code against these globals and returns its class. */
  export function makeGo(globals: object): new () => Go;
}
