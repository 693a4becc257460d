// Serves the built package and the pages of the tests.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The folder of the package. */
export const packageFolder = join(here, "../..");

const types = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".html": "text/html; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".map": "application/json",
};

/** The strictest policy that lets WebAssembly run. */
export const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'";

/** The strictest policy under which the scripts run that a page has in itself, which it names by their hashes. */
export function strictPolicyOf(page) {
  const inline = Array.from(page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g), ([, script]) => script);
  const hashes = inline.map((script) => ` 'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return strictPolicy.replace("script-src 'self'", `script-src 'self'${hashes.join("")}`);
}

const html = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><body>${body}</body></html>`;

/**
 * Starts a server. `routes` maps a path to a function that gives {status, type, body, headers}; other paths are files: /dist/ is the
 * built package, /page/ the folder of that name, and what `folders` maps a first part of a path to. With `cors` pages of other origins may
 * read them.
 */
export async function serve({ routes = {}, folders = {}, cors = false } = {}) {
  const places = { dist: join(packageFolder, "dist"), page: join(packageFolder, "test/page"), ...folders };
  const known = {
    "/": () => ({ type: types[".html"], body: html("") }),
    "/strict": () => ({ type: types[".html"], body: html(""), headers: { "content-security-policy": strictPolicy } }),
    "/favicon.ico": () => ({ status: 204, body: "" }),
    ...routes,
  };
  const answer = (path) => {
    if (known[path]) {
      return known[path]();
    }
    const [, first, ...rest] = path.split("/");
    if (!places[first]) {
      return { status: 404, body: "not found" };
    }
    try {
      const file = join(places[first], normalize("/" + rest.join("/")));
      return { type: types[extname(file)] ?? "application/octet-stream", body: readFileSync(file) };
    } catch {
      return { status: 404, body: "not found" };
    }
  };
  const server = createServer((request, response) => {
    const { status = 200, type = "text/plain", body, headers = {} } = answer(new URL(request.url, "http://localhost").pathname);
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...(cors && { "access-control-allow-origin": "*" }), ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    onRequest: (listener) => void server.on("request", ({ url }) => listener(url)),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
