/** Where the program is, and how it is had: fetched, or read where a module is a file, as in Node. */
import { ActionsError } from "./errors.js";
import { builtin, workingDirectory } from "./node.js";
import { describeThrown } from "./thrown.js";
import type { LoadOptions } from "./types.js";

/** What begins a WebAssembly program, and what is one already: the smallest. */
const magic = [0x00, 0x61, 0x73, 0x6d];
const smallest = new Uint8Array([...magic, 1, 0, 0, 0]);

/** Says where a file is. What locateFile gives may be relative to the page, to the worker, or in Node to the working directory. */
export function located(name: string, locateFile: LoadOptions["locateFile"]): string {
  try {
    if (!locateFile) {
      return new URL("./actions.wasm", import.meta.url).href;
    }
    const base = globalThis.document?.baseURI ?? globalThis.location?.href ?? `file://${workingDirectory()}/`;
    return new URL(locateFile(name), base).href;
  } catch (thrown) {
    const problem = locateFile ? "the option locateFile does not say" : "this bundle does not know";
    const hint = locateFile ? "" : ". Say it with the option locateFile.";
    const message = `${problem} where ${name} is: ${describeThrown(thrown)}${hint}`;
    throw new ActionsError("fetch_failed", message, { cause: thrown });
  }
}

/** Compiles the program at a URL. */
export async function compileFrom(url: string, integrity = ""): Promise<WebAssembly.Module> {
  const files = url.startsWith("file:") ? builtin("node:fs/promises") : undefined;
  if (files === undefined) {
    return compile(url, integrity);
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await files.readFile(new URL(url));
  } catch (thrown) {
    throw new ActionsError("fetch_failed", `${url} cannot be read: ${describeThrown(thrown)}. ${place(url)}`, { cause: thrown });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    throw await refusal(url, thrown);
  }
}

/** What to do about a file that is not there. */
function place(url: string): string {
  if (url.includes("/.vite/deps/")) {
    return 'Vite has moved the module without the file: add optimizeDeps: { exclude: ["@rehearsal/actions"] } to its configuration.';
  }
  return "Put actions.wasm there, or say where it is with the option locateFile.";
}

async function get(url: string, integrity: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", integrity });
  } catch (thrown) {
    const same = integrity && ", is it the file that the option integrity is of";
    const hint = `Does connect-src of the Content Security Policy allow it${same}, and is the server there?`;
    throw new ActionsError("fetch_failed", `${url} cannot be fetched: ${describeThrown(thrown)}. ${hint}`, { cause: thrown });
  }
  if (!response.ok) {
    throw new ActionsError("fetch_failed", `${url} cannot be fetched: the server answered ${response.status}. ${place(url)}`);
  }
  return response;
}

/**
 * Compiles what the server sends: while it arrives when its type is right. Static servers that do not know the type are common, so
 * that a program under another type is compiled as well, once it is here, with a warning.
 */
async function compile(url: string, integrity: string): Promise<WebAssembly.Module> {
  const response = await get(url, integrity);
  const type = response.headers.get("content-type") ?? "no type";
  const right = type.trim().toLowerCase() === "application/wasm";
  const streams = right && typeof WebAssembly.compileStreaming === "function";
  try {
    if (streams) {
      return await WebAssembly.compileStreaming(response);
    }
    const bytes = await response.arrayBuffer();
    if (!right) {
      checkMagic(url, type, new Uint8Array(bytes, 0, Math.min(bytes.byteLength, magic.length)));
    }
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    if (streams && !isKnown(thrown)) {
      return recompile(url, integrity);
    }
    throw await refusal(url, thrown);
  }
}

/** Whether the browser says that the program is wrong, or did not arrive. */
function isKnown(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.CompileError || thrown instanceof TypeError || thrown instanceof DOMException;
}

/** Compiles a program at once: a busy browser may fail, for want of memory, to do so while the program arrives. */
async function recompile(url: string, integrity: string): Promise<WebAssembly.Module> {
  const response = await get(url, integrity);
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (thrown) {
    throw await refusal(url, thrown);
  }
}

/** Refuses what is no program at all, such as a page that says that there is nothing. Warns of a program under a wrong type. */
function checkMagic(url: string, type: string, start: Uint8Array): void {
  const hint = "Have the server send it as application/wasm, and nothing after that";
  if (magic.some((byte, i) => start[i] !== byte)) {
    const cure = url.includes("/.vite/deps/") ? place(url) : `${hint}.`;
    throw new ActionsError("wrong_type", `${url} is served as ${type} and is not a WebAssembly program. ${cure}`);
  }
  console.warn(`@rehearsal/actions: ${url} is served as ${type}, which is slower to load. ${hint}.`);
}

/** Makes the error of a program that was not compiled. */
async function refusal(url: string, thrown: unknown): Promise<ActionsError> {
  if (thrown instanceof ActionsError) {
    return thrown;
  }
  await checkPolicy(thrown);
  const text = describeThrown(thrown);
  if (thrown instanceof WebAssembly.CompileError) {
    return new ActionsError("wrong_type", `${url} is not a WebAssembly program: ${text}`, { cause: thrown });
  }
  return new ActionsError("fetch_failed", `${url} was not received whole: ${text}`, { cause: thrown });
}

/**
 * Refuses to go on where no program runs, whatever it is: browsers refuse at different steps and in words of their own, so that the
 * smallest program is tried. Does nothing where that one runs.
 */
export async function checkPolicy(cause: unknown): Promise<void> {
  try {
    await WebAssembly.instantiate(smallest);
  } catch {
    const hint = "Add 'wasm-unsafe-eval' to script-src.";
    throw new ActionsError("blocked_by_policy", `the page's Content Security Policy does not allow WebAssembly. ${hint}`, { cause });
  }
}
