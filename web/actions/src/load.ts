import { Engine } from "./engine.js";
import { ActionsError } from "./errors.js";
import { browserHost } from "./browser-host.js";
import { Registry } from "./registry.js";
import { describeThrown } from "./thrown.js";
import type { Actions, LoadOptions } from "./types.js";

declare const PACKAGE_VERSION: string;

/** The version of this package. */
export const version: string = PACKAGE_VERSION;

let loading: Promise<Actions> | undefined;

/**
 * Loads the WebAssembly program and returns the registry of the page. Further calls give the same promise, whatever their options,
 * unless loading has failed: then the next call tries again.
 *
 * @throws {ActionsError} with a code that says what is wrong: see there.
 */
export function loadActions(options: LoadOptions = {}): Promise<Actions> {
  loading ??= load(options).catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
}

async function load(options: LoadOptions): Promise<Actions> {
  if (typeof document !== "object") {
    const hint = "Call loadActions in code that runs in a browser's page only, not on a server nor in a worker.";
    throw new ActionsError("unsupported_browser", `there is no page here, which actions need. ${hint}`);
  }
  const name = "actions.wasm";
  const url = located(name, options.locateFile);
  if (typeof WebAssembly !== "object" || typeof WebAssembly.compileStreaming !== "function") {
    throw new ActionsError("unsupported_browser", "this browser cannot compile WebAssembly while it loads");
  }
  const module = await compile(url, await get(url));
  const engine = start(url, module);
  if (engine.version !== version) {
    throw wrongVersion(url, `it is version ${engine.version ?? "unknown"}, this page has version ${version}`);
  }
  return new Registry(engine, { ...options, host: options.host ?? browserHost() }, version);
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
  const type = response.headers.get("content-type") ?? "no type";
  if (type.trim().toLowerCase() !== "application/wasm") {
    throw new ActionsError("wrong_type", `${url} is served as ${type}. Have the server send it as application/wasm, and nothing after that.`);
  }
  return response;
}

async function compile(url: string, response: Response): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (thrown) {
    const text = describeThrown(thrown);
    if (/content security policy|unsafe-eval/i.test(text)) {
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
