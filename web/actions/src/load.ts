import { Engine } from "./engine.js";
import { ActionsError } from "./errors.js";
import { browserHost } from "./browser-host.js";
import { checkPolicy, compileFrom, compileGiven, failure, located } from "./program.js";
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
let program: { readonly from: unknown; readonly engine: Promise<Engine> } | undefined;

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
  return registry(await engineOf(options), options, leave);
}

/** @internal Makes a registry, on the browser when no other host is given. */
export function registry(engine: Engine, options: RegistryOptions, leave?: () => boolean): Registry {
  return new Registry(engine, { ...options, host: options.host ?? browserHost() }, version, leave);
}

/** @internal Loads the program, unless it was loaded from there already. */
export async function engineOf({ locateFile, integrity, program: given }: LoadOptions): Promise<Engine> {
  const from = given ?? located(locateFile);
  if (program?.from !== from) {
    program = { from, engine: load(from, integrity) };
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

async function load(from: string | Exclude<LoadOptions["program"], undefined>, integrity: string | undefined): Promise<Engine> {
  if (typeof globalThis.WebAssembly?.compile !== "function") {
    throw new ActionsError("unsupported_browser", "there is no WebAssembly here: the browser lacks it, or a mode for protection has turned it off");
  }
  const url = typeof from === "string" ? from : "the program";
  const engine = await start(url, await (typeof from === "string" ? compileFrom(from, integrity) : compileGiven(from)));
  if (engine.version !== version) {
    throw wrongVersion(url, `it is version ${engine.version || "unknown"}, this page has version ${version}`);
  }
  return engine;
}

async function start(url: string, module: WebAssembly.Module): Promise<Engine> {
  try {
    return new Engine(module);
  } catch (thrown) {
    await checkPolicy(thrown); // WebKit compiles what it does not start
    throw wrongVersion(url, "it does not start here: " + describeThrown(thrown), thrown);
  }
}

const wrongVersion = (url: string, found: string, cause?: unknown): ActionsError =>
  failure("wrong_version", url, `does not belong to this page: ${found}. Serve the actions.wasm of the same package.`, cause);
