import type { Tenant } from "./tenant.js";
import type { Result } from "./types.js";

/** A call whose result the program delivers later. */
interface PendingCall {
  readonly tenant: Tenant;
  readonly resolve: (result: Result) => void;
  /** What to send again when the program has ended before this began; undefined once it may have begun. */
  readonly replay: Uint8Array | undefined;
  /** Lets go of what the page has kept for the program while this ran. */
  readonly release: () => void;
}

/** The calls that are under way, by the numbers that the program knows them by. */
export class PendingCalls {
  private readonly calls = new Map<number, PendingCall>();
  private last = 0;

  /** Returns the number of a new call. */
  next(): number {
    return (this.last = this.last === 0x7fffffff ? 1 : this.last + 1);
  }

  /** Waits for the result of a call, or for the signal, which calls `abort`. */
  add(number: number, call: Omit<PendingCall, "resolve">, signal: AbortSignal | undefined, abort: () => void): Promise<Result> {
    return new Promise((resolve) => {
      signal?.addEventListener("abort", abort, { once: true });
      this.calls.set(number, {
        ...call,
        resolve: (result) => {
          signal?.removeEventListener("abort", abort);
          resolve(result);
        },
      });
    });
  }

  /** Ends a call with its result. */
  finish(number: number, result: Result): void {
    const call = this.calls.get(number);
    this.calls.delete(number);
    call?.release();
    call?.resolve(result);
  }

  /** Fails the calls that cannot be sent again after the program has ended. */
  failLost(message: string): void {
    const lost = [...this.calls].filter(([, call]) => call.replay === undefined || call.tenant.started);
    for (const [number] of lost) {
      this.finish(number, { status: "failed", message });
    }
  }

  /** Calls a function for each call of a registry, which may end it. */
  forEachOf(tenant: Tenant, visit: (number: number, replay: Uint8Array | undefined) => void): void {
    for (const [number, call] of this.calls) {
      if (call.tenant === tenant) {
        visit(number, call.replay);
      }
    }
  }
}
