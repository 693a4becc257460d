import { Engine } from "./engine.js";
import { ActionsError } from "./errors.js";
import { browserHost } from "./browser-host.js";
import { Registry } from "./registry.js";
import { describeThrown } from "./thrown.js";
import type { Actions, ActionTypes, Declared, LoadOptions, RegistryOptions } from "./types.js";

declare const PACKAGE_VERSION: string;

/** The version of this package. */
export const version: string = PACKAGE_VERSION;

/** The registry of the page, with how many calls of loadActions have not been undone by one of dispose. */
interface Page {
  readonly loading: Promise<Actions>;
  users: number;
}

let page: Page | undefined;

/** The program that was loaded last. It stays when the registry of the page is disposed of. */
let program: { readonly url: string; readonly engine: Promise<Engine> } | undefined;

/**
 * Loads the WebAssembly program and returns the registry of the page. Further calls give the same promise, whatever their options,
 * unless loading has failed: then the next call tries again. Each call is undone by one `dispose()`; the last one ends the
 * registry, and the next call makes a new one, with its own options, without loading the program again. So parts of a page that come
 * and go, each with a call and a `dispose()`, do not end each other's registry.
 *
 * @throws {ActionsError} with a code that says what is wrong: see there.
 */
export function loadActions<T extends Declared<T> = ActionTypes>(options: LoadOptions = {}): Promise<Actions<T>> {
  if (page === undefined) {
    const opened: Page = { loading: open(options, leave), users: 0 };
    function leave(): boolean {
      if (--opened.users > 0) {
        return false;
      }
      if (page === opened) {
        page = undefined;
      }
      return true;
    }
    page = opened;
    opened.loading.catch(() => {
      if (page === opened) {
        page = undefined;
      }
    });
  }
  page.users++;
  return page.loading as unknown as Promise<Actions<T>>;
}

/** Makes the registry of the page. leave is called by its dispose, and says whether that ends it. */
async function open(options: LoadOptions, leave: () => boolean): Promise<Actions> {
  return registry(await engineOf(options.locateFile), options, leave);
}

/** @internal Makes a registry, on the browser when no other host is given. */
export function registry(engine: Engine, options: RegistryOptions, leave?: () => boolean): Registry {
  return new Registry(engine, { ...options, host: options.host ?? browserHost() }, version, leave);
}

/** @internal Loads the program, unless it was loaded from there already. */
export async function engineOf(locateFile: LoadOptions["locateFile"]): Promise<Engine> {
  if (typeof document !== "object") {
    const hint = "Call loadActions in code that runs in a browser's page only, not on a server nor in a worker.";
    throw new ActionsError("unsupported_browser", `there is no page here, which actions need. ${hint}`);
  }
  const url = located("actions.wasm", locateFile);
  if (program?.url !== url) {
    program = { url, engine: load(url) };
  }
  const loaded = program;
  try {
    return await loaded.engine;
  } catch (thrown) {
    if (program === loaded) {
      program = undefined;
    }
    throw thrown;
  }
}

async function load(url: string): Promise<Engine> {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.compile !== "function") {
    throw new ActionsError("unsupported_browser", "this browser has no WebAssembly");
  }
  const module = await compile(url, await get(url));
  const engine = start(url, module);
  if (engine.version !== version) {
    throw wrongVersion(url, `it is version ${engine.version ?? "unknown"}, this page has version ${version}`);
  }
  return engine;
}

/** Says where a file is. */
function located(name: string, locateFile: LoadOptions["locateFile"]): string {
  if (!locateFile) {
    return new URL("./actions.wasm", import.meta.url).href;
  }
  try {
    return new URL(locateFile(name), document.baseURI).href;
  } catch (thrown) {
    const message = `the option locateFile does not say where ${name} is: ${describeThrown(thrown)}`;
    throw new ActionsError("fetch_failed", message, { cause: thrown });
  }
}

async function get(url: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin" });
  } catch (thrown) {
    throw new ActionsError("fetch_failed", `${url} cannot be fetched: ${describeThrown(thrown)}`, { cause: thrown });
  }
  if (!response.ok) {
    const hint = "Serve actions.wasm there, or say where it is with the option locateFile.";
    throw new ActionsError("fetch_failed", `${url} cannot be fetched: the server answered ${response.status}. ${hint}`);
  }
  return response;
}

/** What the program of WebAssembly begins with. */
const magic = [0x00, 0x61, 0x73, 0x6d];

/**
 * Compiles what the server sends: while it arrives when its type is right. Static servers that do not know the type are common, so
 * that a program under another type is compiled as well, once it is here, with a warning.
 */
async function compile(url: string, response: Response): Promise<WebAssembly.Module> {
  const type = response.headers.get("content-type") ?? "no type";
  const right = type.trim().toLowerCase() === "application/wasm";
  try {
    if (right && typeof WebAssembly.compileStreaming === "function") {
      return await WebAssembly.compileStreaming(response);
    }
    const bytes = await response.arrayBuffer();
    if (!right) {
      checkMagic(url, type, new Uint8Array(bytes, 0, Math.min(bytes.byteLength, magic.length)));
    }
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    if (thrown instanceof ActionsError) {
      throw thrown;
    }
    const text = describeThrown(thrown);
    if (/content security policy|unsafe-eval|blocked by csp/i.test(text)) {
      const hint = "Add 'wasm-unsafe-eval' to script-src.";
      throw new ActionsError("blocked_by_policy", `the page's Content Security Policy does not allow WebAssembly. ${hint}`, {
        cause: thrown,
      });
    }
    if (thrown instanceof WebAssembly.CompileError) {
      throw new ActionsError("wrong_type", `${url} is not a WebAssembly program: ${text}`, { cause: thrown });
    }
    throw new ActionsError("fetch_failed", `${url} was not received whole: ${text}`, { cause: thrown });
  }
}

/** Refuses what is no program at all, such as a page that says that there is nothing. Warns of a program under a wrong type. */
function checkMagic(url: string, type: string, start: Uint8Array): void {
  const hint = "Have the server send it as application/wasm, and nothing after that";
  if (magic.some((byte, i) => start[i] !== byte)) {
    throw new ActionsError("wrong_type", `${url} is served as ${type} and is not a WebAssembly program. ${hint}.`);
  }
  console.warn(`@rehearsal/actions: ${url} is served as ${type}, which is slower to load. ${hint}.`);
}

function start(url: string, module: WebAssembly.Module): Engine {
  try {
    return new Engine(module);
  } catch (thrown) {
    throw wrongVersion(url, "it does not start here: " + describeThrown(thrown), thrown);
  }
}

function wrongVersion(url: string, found: string, cause?: unknown): ActionsError {
  const hint = "Serve the actions.wasm of the same package.";
  return new ActionsError("wrong_version", `${url} does not belong to this page: ${found}. ${hint}`, { cause });
}
