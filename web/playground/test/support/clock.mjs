// The time in tests: servers start at a fixed date, and pages read the time of their server. So the same rows are there on every day.

/** When servers start: worlds of a hundred people and of ten thousand have rows of every kind in the week before. */
export const now = "2026-03-15T12:00:00Z";

/**
 * In a page: lets Date be ahead of the real time. Timers, frames and performance.now stay as they are, since tests watch them; the clock
 * of playwright-core would take their place too.
 */
export function moveDate(ahead) {
  const real = Date;
  const moved = () => real.now() + ahead;
  globalThis.Date = new Proxy(real, {
    construct: (_, given, proxy) => Reflect.construct(real, given.length > 0 ? given : [moved()], proxy),
    apply: () => new real(moved()).toString(),
    get: (_, name) => (name === "now" ? moved : Reflect.get(real, name)),
  });
}

/** Opens a context of a browser in which every page reads the time of the server. */
export async function newContext(browser, server, options) {
  const context = await browser.newContext(options);
  await context.addInitScript(moveDate, server.ahead);
  return context;
}
