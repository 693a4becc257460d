/**
 * Joins a debug build to the playground of a mock server, which lists its actions, performs them, and shows what it performs by itself:
 *
 *     joinPlayground(actions, { url: "http://localhost:8080" });
 *
 * @packageDocumentation
 */
import { identifiers } from "./builtins.js";
import type { Actions, ActionTypes, Declared, LoadableActions, Result, Source } from "./index.js";
import { show } from "./shown.js";
import { addressesOf, identityHere, isProduction, nameHere, platform, reaching, whyNot } from "./surroundings.js";

/** What the editor of the playground completes an action from. */
export interface Description {
  readonly title?: string;
  /** Arguments to begin with. */
  readonly sample?: object;
  /** A JSON Schema of the arguments. */
  readonly schema?: object;
}

/** Options of {@link joinPlayground}. */
export interface JoinOptions {
  /** The address of the mock server. Without one nothing is joined. */
  readonly url: string | null | undefined;
  /** The code under *Connect an app*, for a server on another device. */
  readonly code?: string;
  /** What the playground calls this app: by default the title of the page, or the name of the script. */
  readonly name?: string;
  /** Tells this app from others, and is the same after a restart. By default one is kept in `localStorage`. */
  readonly instance?: string;
  /** The version of the app. */
  readonly version?: string;
  /** Describes actions, by identifier. */
  readonly describe?: { readonly [identifier: string]: Description };
  /** Joins in a production build, too. */
  readonly allowProduction?: boolean;
  /** Is told what became of joining, in a sentence; `console.info` by default. */
  readonly log?: (line: string) => void;
}

/** An app that has joined, or goes on trying with growing pauses. */
export interface Joined {
  /** Whether it was let in at first. It is known within three seconds. */
  readonly joined: Promise<boolean>;
  /** Leaves the playground. A program of Node cannot end before. */
  leave(): void;
}

/** Has a registry join the playground. Its actions do the same as without, and wait for nothing of it. */
export function joinPlayground<T extends Declared<T> = ActionTypes>(actions: Actions<T>, options: JoinOptions): Joined {
  const { url, allowProduction } = options;
  const log = (line: string) => (options.log ?? console.info)(`playground: ${line}`);
  const obstacle = !url
    ? "no url is given"
    : !URL.canParse(url) || !/^https?:/i.test(url)
      ? `the url ${url} cannot be read; give one such as http://localhost:8080`
      : isProduction() && !allowProduction && "this is a production build, which joins with allowProduction: true only";
  if (!url || obstacle) {
    log(`not joined: ${obstacle}`);
    return { joined: Promise.resolve(false), leave: () => {} };
  }
  return new Member(actions, options, addressesOf(new URL(url)), log);
}

/** What the server gives a host, with the milliseconds between two of its signs of life. */
type Place = { readonly url: string; readonly token: string; readonly beat: number };

/** A call of the server's. */
type Call = { readonly call: string; readonly perform?: Asked; readonly trigger?: Asked; readonly deadline_ms: number };
type Asked = { readonly identifier: string; readonly arguments: object; readonly source?: Source };

/** The budget of a message, with room for what is around it; how many wait for a slow server; what goes together, in characters. */
const most = { bytes: 60_000, depth: 12, waiting: 100, together: 170_000 };

/** Who has joined from here, by instance: a module that is loaded again takes the place of itself. */
const everywhere = globalThis as { [key: symbol]: Map<string, Member> | undefined };
const members = (everywhere[Symbol.for("rehearsal-playground-members")] ??= new Map<string, Member>());

/** What of a result is sent; a cause is for the page alone. */
const sent = ({ status, message, value, items }: Result): object => ({ status, message, value, items: items?.map(sent) });

/** A whole number that a double cannot hold is a bigint, where the engine shows what was written. */
const exact = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context!.source!) : value;

class Member implements Joined {
  readonly joined: Promise<boolean>;
  private readonly left = new AbortController();
  private readonly offs: readonly (() => void)[];
  private instance = "";
  private said = "";
  private place: Place | undefined;
  /** What the server knows: the registered identifiers, and the state. */
  private known = new Set<string>();
  private told = "";
  /** The arguments of what the playground asked for, and of triggers that are held. */
  private readonly own = new Set<unknown>();
  private readonly held = new Set<unknown>();
  private waiting: string[] = [];
  private dropped = 0;
  private sending = false;
  private wrongCode = false;

  constructor(
    private readonly actions: Actions & Partial<LoadableActions> & { readonly started?: boolean },
    private readonly options: JoinOptions,
    private readonly addresses: readonly string[],
    private readonly log: (line: string) => void,
  ) {
    const later = () => queueMicrotask(() => this.sync());
    this.offs = [
      actions.on("registered", later),
      actions.on("unregistered", later),
      actions.on("performing", ({ arguments: args, source }) => {
        if (source.kind !== "manual" && actions.started === false) {
          this.held.add(args);
          later();
        }
      }),
      actions.on("performed", ({ identifier, arguments: args, source, result }) => {
        this.held.delete(args);
        if (!this.own.has(args)) {
          queueMicrotask(() => this.tell({ type: "performed", identifier, source, result: sent(result), arguments: args }));
        }
        later();
      }),
    ];
    this.joined = new Promise((resolve) => {
      this.left.signal.addEventListener("abort", () => resolve(false));
      void this.run(resolve);
    });
  }

  leave(): void {
    const { place } = this;
    this.end();
    if (place) {
      const body = JSON.stringify({ messages: [{ type: "leave" }] });
      fetch(`${place.url}/messages`, { method: "POST", headers: headers(place), body, keepalive: true }).catch(() => {});
    }
  }

  private end(why?: string): void {
    if (!this.left.signal.aborted) {
      this.say(why);
    }
    this.left.abort();
    this.offs.forEach((off) => off());
    this.place = undefined;
  }

  /** Ends when the server says that this is no host of its any more. */
  private heed(status: number | undefined): void {
    if (status === 409) {
      this.end("left: the same app has joined again, or it was removed");
    }
  }

  private say(line: string | undefined): void {
    if (line !== undefined && line !== this.said) {
      this.log((this.said = line));
    }
  }

  private async run(first: (joined: boolean) => void): Promise<void> {
    await Promise.resolve(); // who leaves at once takes no place
    this.instance = this.options.instance ?? (await identityHere(this.options.name));
    if (this.left.signal.aborted) {
      return;
    }
    members.get(this.instance)?.end();
    members.set(this.instance, this);
    for (let pause = 500, limit = 1800 / this.addresses.length; !this.left.signal.aborted; limit = 5000) {
      const begun = Date.now();
      this.place ??= await this.join(limit);
      first(this.place !== undefined);
      const status = this.place && (await this.stay(this.place).catch(() => undefined)); // the network went, or the server
      if (status === 401) {
        this.place = undefined;
      }
      this.heed(status);
      pause = Date.now() - begun > 10_000 ? 500 : Math.min(2 * pause, 10_000);
      await new Promise((resolve) => setTimeout(resolve, pause / 2));
    }
  }

  /** Asks one address after the other, and says why none lets the app in. */
  private async join(limit: number): Promise<Place | undefined> {
    const reasons: string[] = [];
    for (const address of this.addresses) {
      const answer = await this.knock(address, limit).catch((thrown: unknown) => whyNot(address, thrown as Error));
      if (this.left.signal.aborted) {
        return undefined;
      }
      if (typeof answer === "object") {
        this.say(`joined ${address}`);
        return answer;
      }
      reasons.push(`\n  ${address}: ${answer}`);
    }
    if (this.wrongCode) {
      this.end(`not joined: start again with the code that the page shows now.${reasons.join("")}`);
    } else {
      this.say(`not joined, and tries again.${reasons.join("")}`);
    }
    return undefined;
  }

  private async knock(address: string, limit: number): Promise<Place | string> {
    const { code, name = nameHere(), version } = this.options;
    const hello = { protocol: 1, instance: this.instance, name: name.slice(0, 100), platform, version, code, ...this.state() };
    const actions = new Map(this.actions.list().map((identifier) => [identifier, this.described(identifier)]));
    let room = most.bytes / 2; // what has none follows
    const now = [...actions].filter(([, action]) => (room -= 3 * action.length) > 0);
    const body = `${JSON.stringify(hello).slice(0, -1)},"actions":[${now.map(([, action]) => action).join()}]}`;
    const response = await this.fetch(`${address}/_mock/hosts`, { method: "POST", headers: headers(), body }, limit);
    const text = await response.text();
    if (!response.ok) {
      this.wrongCode ||= response.status === 401 && code !== undefined;
      return refusal(response.status, text);
    }
    this.known = new Set(now.map(([identifier]) => identifier));
    this.told = JSON.stringify(this.state());
    const { id, token, heartbeat_seconds } = JSON.parse(text) as { id: string; token: string; heartbeat_seconds: number };
    return { url: `${address}/_mock/hosts/${id}`, token, beat: heartbeat_seconds * 1000 };
  }

  private fetch(url: string, init: RequestInit, limit: number, ...more: AbortSignal[]): Promise<Response> {
    const signals = [this.left.signal, ...more, ...(limit ? [AbortSignal.timeout(limit)] : [])];
    return fetch(url, { ...reaching(url), cache: "no-store", ...init, signal: AbortSignal.any(signals) });
  }

  /** Hears what is asked for, until nothing comes any more. Gives the status. */
  private async stay(place: Place): Promise<number> {
    const silence = new AbortController();
    const { body, status, ok } = await this.fetch(`${place.url}/calls`, { headers: headers(place) }, 0, silence.signal);
    if (!ok) {
      return status;
    }
    this.sync();
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const timer = setTimeout(() => silence.abort(), 3 * place.beat);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) {
        return status;
      }
      const events = (text + value).split("\n\n");
      text = events.pop()!;
      events.forEach((event) => this.hear(event));
    }
  }

  private hear(event: string): void {
    const [, type, data] = /^event: (\w+)\ndata: (.*)$/m.exec(event) ?? [];
    if (type === "call") {
      void this.call(JSON.parse(data!, exact) as Call);
    } else if (type === "replaced" || type === "removed") {
      this.end(type === "replaced" ? "left: the same app has joined again" : "left: it was removed on the page of the server");
    } else if (type === "ping") {
      this.sync();
      this.tell({ type: "alive" });
    }
  }

  private async call({ call, perform, trigger, deadline_ms }: Call): Promise<void> {
    await this.actions.load?.().catch(() => {}); // the result says why
    const { identifier, arguments: given, source } = (perform ?? trigger)!;
    const { actions, held } = this;
    const args = { ...given };
    const signal = AbortSignal.timeout(deadline_ms);
    if (trigger && actions.started === false) {
      void actions.trigger(identifier, args, source);
      this.tell({ type: "held", count: held.size, call });
      return;
    }
    this.own.add(args);
    const result = await (perform ? actions.perform(identifier, args, { signal }) : actions.trigger(identifier, args, source, { signal }));
    this.own.delete(args);
    this.tell({ type: "result", call, result: sent(result) });
  }

  private described(identifier: string): string {
    const { title, sample, schema } = this.options.describe?.[identifier] ?? {};
    const { json, omitted } = show({ identifier, title, sample, schema }, most.bytes, most.depth - 2);
    return omitted === 0 ? json : JSON.stringify({ identifier, title }); // half a schema is none
  }

  /** What the actions can do here and now, once that is known. */
  private state() {
    const { actions } = this;
    const known = actions.loaded === false ? [] : identifiers;
    const { permission } = (globalThis as { Notification?: typeof Notification }).Notification ?? {};
    const notifications = permission && { granted: "authorized", denied: "denied", default: "not_determined" }[permission];
    return {
      capabilities: Object.fromEntries(known.map((name) => [name, actions.capability(name).state])),
      permissions: { notifications },
      held: actions.started ? 0 : this.held.size,
    };
  }

  /** Tells the server what has changed since it was told. */
  private sync(): void {
    if (!this.place) {
      return;
    }
    try {
      const now = new Set(this.actions.list());
      const gone = [...this.known].filter((identifier) => !now.has(identifier));
      const come = [...now].filter((identifier) => !this.known.has(identifier));
      this.known = now;
      gone.forEach((identifier) => this.tell({ type: "unregistered", identifier }));
      come.forEach((identifier) => this.tell(`{"type":"registered","action":${this.described(identifier)}}`));
      const state = this.state();
      if (this.told !== (this.told = JSON.stringify(state))) {
        this.tell({ type: "capabilities", ...state });
        this.tell({ type: "held", count: state.held });
      }
    } catch {
      this.leave(); // the registry was disposed of
    }
  }

  /** Has a message sent, when there is somebody to hear it. */
  private tell(message: object | string): void {
    if (!this.place) {
      return;
    }
    if (this.waiting.length >= most.waiting) {
      this.dropped++;
      return;
    }
    const { json, omitted } = typeof message === "string" ? { json: message, omitted: 0 } : show(message, most.bytes, most.depth);
    this.waiting.push(json);
    if (omitted > 0) {
      this.waiting.push(left(omitted, `a message has ${most.bytes} bytes and ${most.depth} levels`));
    }
    if (!this.sending) {
      this.sending = true;
      queueMicrotask(() => void this.send().finally(() => (this.sending = false))); // what is told in one turn goes together
    }
  }

  private async send(): Promise<void> {
    for (let { place } = this; place && place === this.place && this.waiting.length > 0; ) {
      let room = most.together;
      const beyond = this.waiting.findIndex((message) => (room -= message.length) < 0);
      const batch = this.waiting.splice(0, beyond > 0 ? beyond : most.waiting);
      if (this.dropped > 0) {
        this.waiting.push(left(this.dropped, "the playground was too slow"));
        this.dropped = 0;
      }
      const post = { method: "POST", headers: headers(place), body: `{"messages":[${batch.join()}]}` };
      const response = await this.fetch(`${place.url}/messages`, post, 10_000).catch(() => undefined);
      if (!response) {
        this.waiting.unshift(...batch); // for the next time, perhaps after joining again
        return;
      }
      this.heed(response.status);
    }
  }
}

const left = (count: number, reason: string): string => JSON.stringify({ type: "omitted", count, reason });

const headers = (place?: Place) => ({ "content-type": "application/json", ...(place && { authorization: `Bearer ${place.token}` }) });

/** What the server says of not letting an app in. */
function refusal(status: number, text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return `something answers ${status}, and is no mock server that apps can join. Is it an older one?`;
  }
}
