/** Where the program is, and how it is had: fetched, or read where a module is a file, as in Node. */
import { ActionsError, type ActionsErrorCode } from "./errors.js";
import { builtin, workingDirectory } from "./node.js";
import { describeThrown } from "./thrown.js";
import type { LoadOptions, Program } from "./types.js";

/** The smallest program. */
const smallest = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** Says where the file is. What locateFile gives may be relative to the page, to the worker, or in Node to the working directory. */
export function located(locateFile: LoadOptions["locateFile"]): string {
  try {
    if (!locateFile) {
      return new URL("./actions.wasm", import.meta.url).href;
    }
    const base = globalThis.document?.baseURI ?? globalThis.location?.href ?? `file://${workingDirectory()}/`;
    return new URL(locateFile("actions.wasm"), base).href;
  } catch (cause) {
    const who = locateFile ? "the option locateFile does not say" : "this bundle does not know";
    const hint = locateFile ? "" : ". Say where it is with the option locateFile.";
    throw new ActionsError("fetch_failed", `${who} where actions.wasm is: ${describeThrown(cause)}${hint}`, { cause });
  }
}

/** How much of an address a message shows. */
const shown = 100;

/** Cuts an address for a message. One that is the program itself is not shown. */
const shortened = (url: string): string =>
  url.startsWith("data:") ? "the data: URL" : url.length > shown ? `${url.slice(0, shown)}…` : url;

/** Makes the error of a program that is not to be had or not to be run. */
export const failure = (code: ActionsErrorCode, url: string, problem: string, cause?: unknown): ActionsError =>
  new ActionsError(code, `${shortened(url)} ${problem}`, { cause });

/** Compiles what the option program is given. */
export async function compileGiven(given: Program | Promise<Program>): Promise<WebAssembly.Module> {
  const name = "the option program";
  let got: Program;
  try {
    got = await given;
  } catch (thrown) {
    throw failure("fetch_failed", `the promise of ${name}`, `was rejected: ${describeThrown(thrown)}`, thrown);
  }
  return got instanceof WebAssembly.Module
    ? got
    : compiled(name, async () => WebAssembly.compile("arrayBuffer" in got ? await checked(name, got).arrayBuffer() : got));
}

/** Compiles the program at a URL. */
export const compileFrom = (url: string, integrity = ""): Promise<WebAssembly.Module> =>
  compiled(url, async () => {
    const files = url.startsWith("file:") ? builtin("node:fs/promises") : undefined;
    if (files === undefined) {
      return compile(url, integrity);
    }
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await files.readFile(new URL(url));
    } catch (thrown) {
      throw failure("fetch_failed", url, `cannot be read: ${describeThrown(thrown)}. ${place(url)}`, thrown);
    }
    return WebAssembly.compile(bytes);
  });

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
    throw failure("fetch_failed", url, `cannot be fetched: the server answered ${response.status}. ${place(url)}`);
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
    throw failure("fetch_failed", url, `cannot be fetched: ${describeThrown(thrown)}. ${hint}`, thrown);
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
  if (right && typeof WebAssembly.compileStreaming === "function") {
    return streamed(url, response, integrity);
  }
  const bytes = await response.arrayBuffer();
  if (!right) {
    checkMagic(url, type, new Uint8Array(bytes));
  }
  return WebAssembly.compile(bytes);
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
  if (smallest.some((byte, i) => start[i] !== byte)) {
    const isPage = /html/i.test(type) || start[0] === 0x3c /* < */;
    const found = isPage ? `a page (${type}): actions.wasm is not there, your bundler may have left it out` : `${type}, and is no WebAssembly program`;
    throw failure("wrong_type", url, `is served as ${found}. ${isPage ? place(url) : `${hint}.`}`);
  }
  console.warn(`@rehearsal/actions: ${shortened(url)} is served as ${type}, which is slower to load. ${hint}.`);
}

/** Has a program compiled, or says why there is none. */
async function compiled(url: string, compile: () => Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  try {
    return await compile();
  } catch (thrown) {
    if (thrown instanceof ActionsError) {
      throw thrown;
    }
    await checkPolicy(thrown);
    const text = describeThrown(thrown);
    throw thrown instanceof WebAssembly.CompileError
      ? failure("wrong_type", url, `is not a WebAssembly program: ${text}`, thrown)
      : failure("fetch_failed", url, `was not received whole: ${text}`, thrown);
  }
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
        : "this runtime compiles no WebAssembly. Give the option program a module that it has compiled.";
    throw new ActionsError("blocked_by_policy", message, { cause });
  }
}
