// Runs the handlers that a person writes on the page. They run in a worker of a frame that has no origin and no network: the code
// may come from a link that somebody else made. See docs/decisions/web.md.

import { messageOf, type Arguments, type Invocation, type Result } from "../core/adapter";

/** What a handler says while it runs. The frame is public/handler.js. */
type Said =
  | { begun: true }
  | { log: string }
  | { perform: string; arguments: Arguments; number: number }
  | { returned: unknown }
  | { threw: string | { message: string } };

const seconds = 10;
/** What one call may say and perform, so that an endless loop of either ends, too. */
const mostSaid = 1000;
/** What handlers under way may perform together: they may perform each other. */
const mostPerformed = 1000;
let underWay = 0;
let performed = 0;

let frame: Promise<Window> | undefined;

function opened(): Promise<Window> {
  return (frame ??= new Promise((resolve) => {
    const element = document.createElement("iframe");
    element.sandbox.add("allow-scripts");
    element.hidden = true;
    element.title = "Where handlers run";
    element.src = "./handler.html";
    element.onload = () => resolve(element.contentWindow!);
    document.body.append(element);
  }));
}

/** Runs a handler. `log` is given what it writes to its console. */
export async function runHandler(source: string, invocation: Invocation, log: (said: string) => void): Promise<unknown> {
  const { identifier, arguments: args, source: cause } = invocation;
  const runner = await opened();
  return new Promise((resolve, reject) => {
    const { port1: port, port2 } = new MessageChannel();
    let begun = false;
    let performing = 0;
    let said = 0;
    let timer = 0;
    let ended = false;
    const end = (settle: () => void): void => {
      if (!ended && --underWay === 0) performed = 0;
      ended = true;
      clearTimeout(timer);
      port.postMessage("end");
      port.onmessage = null;
      settle();
    };
    const fail = (why: string): void => end(() => reject(new Error(why)));
    // The time of what it performs is not its own: that may wait for a person.
    const wait = (): void => {
      clearTimeout(timer);
      if (performing > 0) return;
      timer = self.setTimeout(
        () => fail(begun ? `the handler had not ended after ${seconds} seconds, so it was stopped` : "the frame in which handlers run could not be loaded"),
        seconds * 1000,
      );
    };
    underWay++;
    const perform = async (wanted: string, given: Arguments, number: number): Promise<void> => {
      if (++performed > mostPerformed) {
        return fail(`handlers performed more than ${mostPerformed} actions before they ended, so this one was stopped: they seem to perform each other`);
      }
      performing++;
      wait();
      const result = await invocation.perform(wanted, given).catch((error: unknown): Result => ({ status: "failed", message: messageOf(error) }));
      performing--;
      wait();
      port.postMessage({ performed: number, result: plain(result) });
    };
    port.onmessage = ({ data }: MessageEvent<Said>) => {
      if (++said > mostSaid) fail(`the handler logged or performed more than ${mostSaid} times, so it was stopped`);
      else if ("begun" in data) begun = true;
      else if ("log" in data) log(data.log);
      else if ("perform" in data) void perform(data.perform, data.arguments, data.number);
      else if ("returned" in data) end(() => resolve(data.returned));
      else if (typeof data.threw === "string") end(() => reject(data.threw));
      else fail(data.threw.message);
    };
    wait();
    runner.postMessage({ source: source.replace(/[;\s]+$/, ""), invocation: { identifier, arguments: args, source: cause } }, "*", [port2]);
  });
}

/** A result without what cannot be sent to a worker. */
const plain = ({ status, message, value, items }: Result): object => ({
  status,
  message,
  value: typeof value === "function" ? undefined : value,
  items: items?.map(plain),
});
