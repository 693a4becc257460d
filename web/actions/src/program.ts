/** Where the program is, and how it is had: fetched, or read where a module is a file, as in Node. */
import { ActionsError } from "./errors.js";
import { builtin, workingDirectory } from "./node.js";
import { describeThrown } from "./thrown.js";
import type { LoadOptions, Program } from "./types.js";

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

/** How much of an address a message shows. */
const shown = 100;

/** Cuts an address for a message. One that is the program itself is not shown. */
export const shortened = (url: string): string =>
  url.startsWith("data:") ? "the data: URL" : url.length > shown ? `${url.slice(0, shown)}…` : url;

/** Compiles what the option program is given. */
export async function compileGiven(given: Program | Promise<Program>): Promise<WebAssembly.Module> {
  const name = "the option program";
  let got: Program;
  try {
    got = await given;
  } catch (thrown) {
    throw new ActionsError("fetch_failed", `the promise of ${name} was rejected: ${describeThrown(thrown)}`, { cause: thrown });
  }
  if (got instanceof WebAssembly.Module) {
    return got;
  }
  try {
    return await WebAssembly.compile("arrayBuffer" in got ? await checked(name, got).arrayBuffer() : got);
  } catch (thrown) {
    throw await refusal(name, thrown);
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
    throw new ActionsError("fetch_failed", `${shortened(url)} cannot be read: ${describeThrown(thrown)}. ${place(url)}`, { cause: thrown });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    throw await refusal(url, thrown);
  }
}

/** What to do about a file that is not there. */
function place(url: string): string {
  if (/\/\.?vite\/deps\//.test(url)) {
    return 'Vite has moved the module without the file: add optimizeDeps: { exclude: ["@rehearsal/actions"] } to its configuration.';
  }
  return "Put actions.wasm there, or say where it is with the option locateFile.";
}

/** Refuses an answer without the file. */
function checked(url: string, response: Response): Response {
  if (!response.ok) {
    throw new ActionsError("fetch_failed", `${shortened(url)} cannot be fetched: the server answered ${response.status}. ${place(url)}`);
  }
  return response;
}

async function get(url: string, integrity: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", integrity });
  } catch (thrown) {
    const same = integrity && ", is it the file that the option integrity is of";
    const hint = url.startsWith("file:")
      ? "Browsers fetch nothing from disk: give the bytes to the option program."
      : `Does connect-src of the Content Security Policy allow it${same}, and is the server there?`;
    throw new ActionsError("fetch_failed", `${shortened(url)} cannot be fetched: ${describeThrown(thrown)}. ${hint}`, { cause: thrown });
  }
  return checked(url, response);
}

/**
 * Compiles what the server sends: while it arrives when its type is right. Static servers that do not know the type are common, so
 * that a program under another type is compiled as well, once it is here, with a warning.
 */
async function compile(url: string, integrity: string): Promise<WebAssembly.Module> {
  const response = await get(url, integrity);
  const type = response.headers.get("content-type") ?? "no type";
  const right = type.trim().toLowerCase() === "application/wasm";
  try {
    if (right && typeof WebAssembly.compileStreaming === "function") {
      return await streamed(url, response, integrity);
    }
    const bytes = await response.arrayBuffer();
    if (!right) {
      checkMagic(url, type, new Uint8Array(bytes, 0, Math.min(bytes.byteLength, magic.length)));
    }
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    throw await refusal(url, thrown);
  }
}

/**
 * Compiles a program while it arrives, or else once it is here: a busy browser may lack memory for the first, and an answer of a
 * function that stands in for fetch is not what a browser compiles.
 */
async function streamed(url: string, response: Response, integrity: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (thrown) {
    if (thrown instanceof WebAssembly.CompileError) {
      throw thrown;
    }
    return WebAssembly.compile(await (await get(url, integrity)).arrayBuffer());
  }
}

/** Refuses what is no program at all, such as a page that says that there is nothing. Warns of a program under a wrong type. */
function checkMagic(url: string, type: string, start: Uint8Array): void {
  const hint = "Have the server send it as application/wasm, and nothing after that";
  if (magic.some((byte, i) => start[i] !== byte)) {
    const isPage = /html/i.test(type) || start[0] === 0x3c /* < */;
    const found = isPage ? `a page (${type}): actions.wasm is not there, your bundler may have left it out` : `${type}, and is no WebAssembly program`;
    throw new ActionsError("wrong_type", `${shortened(url)} is served as ${found}. ${isPage ? place(url) : `${hint}.`}`);
  }
  console.warn(`@rehearsal/actions: ${shortened(url)} is served as ${type}, which is slower to load. ${hint}.`);
}

/** Makes the error of a program that was not compiled. */
async function refusal(url: string, thrown: unknown): Promise<ActionsError> {
  if (thrown instanceof ActionsError) {
    return thrown;
  }
  await checkPolicy(thrown);
  const text = describeThrown(thrown);
  if (thrown instanceof WebAssembly.CompileError) {
    return new ActionsError("wrong_type", `${shortened(url)} is not a WebAssembly program: ${text}`, { cause: thrown });
  }
  return new ActionsError("fetch_failed", `${shortened(url)} was not received whole: ${text}`, { cause: thrown });
}

/**
 * Refuses to go on where no program runs, whatever it is: browsers refuse at different steps and in words of their own, so that the
 * smallest program is tried. Does nothing where that one runs.
 */
export async function checkPolicy(cause: unknown): Promise<void> {
  try {
    await WebAssembly.instantiate(smallest);
  } catch {
    const message =
      globalThis.document || "importScripts" in globalThis
        ? "the page's Content Security Policy does not allow WebAssembly. Add 'wasm-unsafe-eval' to script-src."
        : "this runtime compiles no WebAssembly. Give the option program a module that the runtime has compiled.";
    throw new ActionsError("blocked_by_policy", message, { cause });
  }
}
