/** What a page would write itself: handlers in a Map by folded identifier, and the same promise of a result. No copy, no rules. */
export class Plain {
  handlers = new Map();

  register(identifier, handler) {
    this.handlers.set(identifier.toLowerCase(), { identifier, handler });
  }

  perform(identifier, args) {
    const found = this.handlers.get(identifier.toLowerCase());
    if (!found) return Promise.resolve({ status: "not_found" });
    try {
      return Promise.resolve(done(found.handler({ identifier: found.identifier, arguments: args, source: manual })));
    } catch (thrown) {
      return Promise.resolve({ status: "failed", message: String(thrown) });
    }
  }
}

/** The same, with the arguments copied as far as they are not in each other. */
export class PlainShallow extends Plain {
  perform(identifier, args) {
    return super.perform(identifier, { ...args });
  }
}

/** The same, with the arguments copied by the browser. */
export class PlainCopying extends Plain {
  perform(identifier, args) {
    return super.perform(identifier, structuredClone(args));
  }
}

/** The same, for handlers that return promises. */
export class PlainAwaiting extends Plain {
  async perform(identifier, args) {
    const found = this.handlers.get(identifier.toLowerCase());
    if (!found) return { status: "not_found" };
    try {
      return done(await found.handler({ identifier: found.identifier, arguments: args, source: manual }));
    } catch (thrown) {
      return { status: "failed", message: String(thrown) };
    }
  }
}

const manual = { kind: "manual" };
const done = (value) => (value === undefined ? { status: "performed" } : { status: "performed", value });
