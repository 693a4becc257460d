/**
 * Named actions for web pages. Load the program once, register actions each time the page loads, then start:
 *
 *     const actions = await loadActions();
 *     actions.register("open-cart", ({ arguments: args }) => openCart(args.item));
 *     actions.start();
 *     const result = await actions.perform("open-cart", { item: 7 });
 *
 * @packageDocumentation
 */
export { createActions } from "./create.js";
export { browserHost, type BrowserHostOptions } from "./browser-host.js";
export { ActionsError, HostError, type ActionsErrorCode, type HostErrorCode } from "./errors.js";
export { loadActions, version } from "./load.js";
export type * from "./types.js";
