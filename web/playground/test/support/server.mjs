// The real mock server, serving the built page.

import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { now } from "./clock.mjs";

/** The root of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");

// MOCKSERVER names a program that is built already; otherwise it is built here.
const program = process.env.MOCKSERVER ?? join(root, "build/playground/mockserver");

/** Says what is missing to serve the page; "" when nothing is. */
export function missing() {
  try {
    execFileSync(process.env.GO ?? "go", ["version"], { stdio: "ignore" });
  } catch {
    return "there is no Go to build the mock server with";
  }
  return existsSync(join(root, "build/web/index.html")) ? "" : "the page is not built: npm run build -w playground";
}

/** Starts a server on a free port; `web` false lists the routes at /. Gives its origin, and how to stop it. */
export async function start({ web = true, flags: more = [] } = {}) {
  if (!process.env.MOCKSERVER) {
    execFileSync(process.env.GO ?? "go", ["build", "-o", program, "./mockserver/cmd/mockserver"], {
      cwd: root,
      stdio: "inherit",
    });
  }
  const page = web ? ["--web", join(root, "build/web")] : [];
  return serve(program, ["--profiles", "100", "--world", "texture=tidy", ...page], more); // a row is a line
}

/**
 * Serves on a free port, from a fixed time on. `flags` take the place of `usual` ones. Gives the origin, by how much the clock is ahead
 * of the real one, in milliseconds, and how to stop it.
 */
export async function serve(program, usual, flags = []) {
  const given = ["--addr", "127.0.0.1:0", "--state", "memory", "--now", now, ...usual];
  const pairs = Array.from({ length: given.length / 2 }, (_, i) => given.slice(2 * i, 2 * i + 2)).filter(([name]) => !flags.includes(name));
  const all = [...pairs.flat(), ...flags];
  const child = spawn(program, ["serve", ...all], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const port = await new Promise((resolve, reject) => {
    const listen = (text) => {
      said += text;
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (found) resolve(found[1]);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => reject(new Error(`the mock server ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return {
    origin: `http://localhost:${port}`,
    ahead: Date.parse(all[all.indexOf("--now") + 1]) - Date.now(),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
