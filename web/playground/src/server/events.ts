// Events that a server sends one after the other (text/event-stream), read with fetch: an EventSource can carry no token.

import { send } from "./client";

/** Who hears the events. */
export interface Listener {
  /** An event of some type, with its data. */
  event(type: string, data: string): void;
  /** Whether the stream is open. */
  live(open: boolean): void;
}

const pause = 1000; // before the stream is opened again, in milliseconds

/** Follows a stream until the returned function is called. One that breaks off goes on behind the last event that came. */
export function stream(path: string, listener: Listener): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = "";
  const follow = async (): Promise<void> => {
    try {
      const headers = { accept: "text/event-stream", ...(last ? { "last-event-id": last } : {}) };
      const answer = await send(path, { headers, signal: stop.signal });
      listener.live(true);
      await read(answer.body!, (id, type, data) => {
        last = id || last;
        listener.event(type, data);
      });
    } catch {
      // It is opened again below; what is wrong with the server, other parts of the page say.
    }
    if (stop.signal.aborted) return;
    listener.live(false);
    timer = setTimeout(() => void follow(), pause);
  };
  void follow();
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

async function read(body: ReadableStream<Uint8Array>, onEvent: (id: string, type: string, data: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
      const of = (name: string): string[] => fields.filter(([, field]) => field === name).map(([, , text]) => text ?? "");
      const data = of("data");
      if (data.length > 0) onEvent(of("id").at(-1) ?? "", of("event").at(-1) ?? "message", data.join("\n"));
    }
  }
}
