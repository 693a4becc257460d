// The session of an app that has joined: what it can do is what it said of itself, and it runs over there.

import { signal } from "@preact/signals";
import type { Actions, Arguments, Core, Problem, Result, Source } from "../core/adapter";
import { builtinOf } from "../core/catalogue";
import { write } from "../core/json";
import { askApp, type App } from "../hosts/apps";

/** An app as the page calls and judges it. */
export class Remote {
  readonly started = signal(true);
  readonly revision = signal(0);
  /** A registry with the same names, for the rules on arguments. */
  readonly #rules: Actions;

  constructor(
    core: Core,
    readonly app: App,
  ) {
    this.#rules = core.create({ platform: app.platform === "ios" || app.platform === "android" ? app.platform : "web" });
    for (const { identifier } of app.actions) {
      try {
        this.#rules.register(identifier, () => undefined);
      } catch {
        // The app says itself what it thinks of this name.
      }
    }
  }

  run(identifier: string, args: Arguments, source?: Source): Promise<Result | { status: "held" }> {
    return askApp(this.app.id, source ? "trigger" : "perform", write({ identifier, arguments: args, timeout: "30s", ...(source && { source }) }, 0));
  }

  validate(identifier: string, args: Arguments): readonly Problem[] {
    return this.#rules.validate(identifier, args).problems;
  }

  capability(identifier: string): "available" | "needs_gesture" | "unsupported" {
    const { capabilities } = this.app;
    const builtin = builtinOf(identifier);
    return capabilities[builtin?.neutral ?? ""] ?? capabilities[builtin?.identifier ?? ""] ?? "available";
  }

  end(): void {
    this.#rules.dispose();
  }
}
