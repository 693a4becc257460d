/** How a program is run that the Go toolchain has built. */
import { runtimeGlobals, type Bridge } from "./sandbox.js";
import type { Exports } from "./exports.js";
import { makeGo, type Go } from "go-runtime";

/** A program that was started. */
export interface Running {
  readonly exports: Exports;
  /** Lets the program do what it has put off. Without it nothing is ever put off. */
  readonly tidy?: () => void;
  /** Has a program that has ended do nothing more. */
  readonly stop: () => void;
}

/**
 * Starts a program. print is given what it prints: the reason, when it ends; end is called then. Throws what WebAssembly throws when it
 * is not the program that belongs to this page.
 */
export type Start = (
  module: WebAssembly.Module,
  imports: WebAssembly.ModuleImports,
  bridge: Bridge,
  print: (text: string) => void,
  end: () => void,
) => Running;

export const start: Start = (module, imports, bridge, print, end) => {
  const go = new (makeGo<Go>(runtimeGlobals(bridge, print)))();
  go.exit = end;
  const instance = new WebAssembly.Instance(module, { ...go.importObject, rehearsal: imports });
  go.run(instance).catch(end);
  return {
    exports: instance.exports as unknown as Exports,
    tidy: () => go._resume(),
    stop() {
      go._resume = () => {};
      for (const timer of go._scheduledTimeouts.values()) {
        clearTimeout(timer);
      }
      go._scheduledTimeouts.clear();
    },
  };
};
