// What the page asks of the server: answers, refusals in the server's words, and whether it is there at all.

import { signal } from "@preact/signals";
import { server } from "./address";
import { controlled, noteStatus, token } from "./token";

/** Whether the last request reached the server. */
export const reachable = signal(true);

/** A request that was answered, but refused. */
export class Refusal extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The name of the error, such as MISSING_PARAMETER. */
    readonly code: string,
    message: string,
    /** The body as it came. */
    readonly body: string,
    readonly headers: Headers,
  ) {
    super(message);
  }
}

/** Sends a request and returns what came back. Throws when none came, and a {@link Refusal} for a status of 400 and above. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  const sent = token.peek();
  const headers = new Headers(init.headers);
  if (!controlled(path)) headers.set("x-mock-lint", "off"); // the page is not the client that the journal is about
  else if (sent) headers.set("authorization", `Bearer ${sent}`);
  try {
    answer = await fetch(server() + path, { cache: "no-store", ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    reachable.value = false;
    throw new Error("the server does not answer: is it still running?");
  }
  reachable.value = true;
  noteStatus(path, answer.status, sent);
  if (answer.status < 400) return answer;
  const body = await answer.text();
  const { code, message } = read(body, answer);
  throw new Refusal(answer.status, code, message, body, answer.headers);
}

// The shapes of an error on this server, and of added interfaces: the code and the message stand in an object, or in one of its members.
function read(body: string, answer: Response): { code: string; message: string } {
  try {
    const all = JSON.parse(body) as Record<string, unknown>;
    const { type, message, error_code, error_message } = { ...all, ...(typeof all.error === "object" ? all.error : {}) } as Record<string, string>;
    const said = message ?? error_message ?? (typeof all.error === "string" ? all.error : answer.statusText);
    return { code: type ?? error_code ?? "", message: said };
  } catch {
    return { code: "", message: body.slice(0, 200) || answer.statusText };
  }
}

/** Asks for JSON. */
export async function get<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await send(path, { ...init, headers: { accept: "application/json", ...init?.headers } });
  return (await answer.json()) as T;
}

/** Sends JSON and asks for JSON. */
export const post = <T>(path: string, body: unknown, method = "POST"): Promise<T> =>
  get<T>(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** What went wrong, in a sentence. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
