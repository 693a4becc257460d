// A small server that apps join, for tests of what they send. The real one is tested with the page.
import { createServer } from "node:http";
import { once } from "node:events";

const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization, content-type", "access-control-allow-methods": "*" };

/** Starts a hub. `refuse` gives a status and a message for who knocks, or nothing. */
export async function startHub({ refuse = () => undefined, port = 0, below = "" } = {}) {
  const hub = { hellos: [], messages: [], streams: [], bodies: [], answers: 204 };
  const server = createServer(async (request, response) => {
    const end = (status, body) => response.writeHead(status, cors).end(body && JSON.stringify(body));
    if (request.method === "OPTIONS") return end(204);
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    if (request.url === `${below}/_mock/hosts`) {
      const hello = JSON.parse(text);
      const [status, message] = refuse(hello) ?? [];
      if (status) return end(status, { message });
      hub.hellos.push(hello);
      return end(201, { id: "host_1", token: `t${hub.hellos.length}`, heartbeat_seconds: 5, limits: {} });
    }
    if (request.headers.authorization !== `Bearer t${hub.hellos.length}`) return end(401, { message: "join again" });
    if (request.url === `${below}/_mock/hosts/host_1/calls`) {
      if (hub.answers === 409) return end(409);
      response.writeHead(200, { ...cors, "content-type": "text/event-stream" }).write(": joined\n\n");
      return void hub.streams.push(response);
    }
    hub.bodies.push(text);
    hub.messages.push(...JSON.parse(text).messages);
    await hub.slow;
    return end(hub.answers);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  hub.url = `http://localhost:${server.address().port}${below}`;
  hub.send = (event, data) => hub.streams.at(-1).write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  hub.stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return hub;
}

/** Waits until something is there. */
export async function until(look) {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
