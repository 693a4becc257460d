/** The globals that the program sees: what it needs to run, and the bridge. Nothing of the page. */
import { Utf8Decoder, Utf8Encoder } from "./utf8.js";

/** What the page prepares for the program, and what the program says of itself. */
export interface Bridge {
  /** Set by the program. */
  version?: string;
  /** The host that `create` reads. */
  adapter?: object;
}

/** Makes the globals for one instance. write is given what the program prints: the reason, when it ends. */
export function runtimeGlobals(bridge: Bridge, write: (text: string) => void): object {
  const decoder = new Utf8Decoder();
  const none = () => {
    throw new Error("not implemented");
  };
  const fs = {
    constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1, O_DIRECTORY: -1 },
    writeSync(_file: number, bytes: Uint8Array): number {
      write(decoder.decode(bytes));
      return bytes.length;
    },
    write(
      file: number,
      bytes: Uint8Array,
      _offset: number,
      _length: number,
      _position: unknown,
      done: (error: null, written: number) => void,
    ): void {
      done(null, fs.writeSync(file, bytes));
    },
  };
  const line = (text: string) => write(text + "\n");
  return {
    Object,
    Array,
    Uint8Array,
    Error,
    Date,
    TextEncoder: Utf8Encoder,
    TextDecoder: Utf8Decoder,
    crypto,
    performance,
    console: { log: line, error: line, warn: line },
    fs,
    path: { resolve: none },
    process: { pid: -1, ppid: -1, getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, cwd: none },
    bridge,
  };
}
