/** What Node has, and what is like it: without an import, which bundlers for browsers would follow. */

interface Builtins {
  "node:fs/promises": { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> };
  "node:util": { readonly TextEncoder: typeof TextEncoder; readonly TextDecoder: typeof TextDecoder };
}

interface Process {
  cwd?(): string;
  getBuiltinModule?<N extends keyof Builtins>(name: N): Builtins[N] | undefined;
}

const { process } = globalThis as { readonly process?: Process };

/** Returns a module of Node's, or undefined elsewhere. */
export function builtin<N extends keyof Builtins>(name: N): Builtins[N] | undefined {
  return process?.getBuiltinModule?.(name);
}

/** Returns the working directory, or nothing elsewhere. */
export function workingDirectory(): string {
  return process?.cwd?.() ?? "";
}
