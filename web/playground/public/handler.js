// The frame in which the handlers run that a person wrote on the page, each call in a worker of its own. The server sends this
// frame with a policy: no origin, no network, no code but this file and workers made of text. See docs/decisions/web.md.
"use strict";

const before = '"use strict"; const handler = ('; // one line: lines of the handler are counted after it

const after = `
);
{
  const waiting = new Map();
  const shown = (said) => {
    try {
      return typeof said === "string" ? said : JSON.stringify(said, (_, value) => (typeof value === "bigint" ? String(value) : value)) ?? String(said);
    } catch {
      return String(said);
    }
  };
  for (const level of ["debug", "error", "info", "log", "warn"])
    console[level] = (...said) => postMessage({ log: said.map(shown).join(" ") });
  const perform = (identifier, args = {}) =>
    new Promise((resolve) => {
      const number = waiting.size + 1;
      waiting.set(number, resolve);
      postMessage({ perform: String(identifier), arguments: args, number });
    });
  onmessage = async ({ data }) => {
    if ("performed" in data) return waiting.get(data.performed)?.(data.result);
    try {
      if (typeof handler !== "function") throw new TypeError("the handler is not a function; write it as () => { … }");
      postMessage({ returned: await handler({ ...data, perform }) });
    } catch (error) {
      postMessage({ threw: error instanceof Error ? { message: error.name === "Error" ? error.message : String(error) } : shown(error) });
    }
  };
}`;

addEventListener("message", ({ data: { source, invocation }, ports: [port] }) => {
  const address = URL.createObjectURL(new Blob([before, "\n", source, after], { type: "text/javascript" }));
  const worker = new Worker(address);
  port.postMessage({ begun: true });
  worker.onmessage = ({ data }) => port.postMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    port.postMessage({ threw: { message: `${event.message.replace(/^Uncaught /, "")} (line ${Math.max(1, event.lineno - 1)} of the handler)` } });
  };
  port.onmessage = ({ data }) => {
    if (data !== "end") return worker.postMessage(data);
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  worker.postMessage(invocation);
});
