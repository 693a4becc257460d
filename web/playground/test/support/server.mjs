// The real mock server, serving the built page.

import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Starts a server on a free port; `web` false leaves the landing page in place. Gives its origin, and how to stop it. */
export async function start({ web = true, flags: more = [] } = {}) {
  if (!process.env.MOCKSERVER) {
    execFileSync(process.env.GO ?? "go", ["build", "-o", program, "./mockserver/cmd/mockserver"], {
      cwd: root,
      stdio: "inherit",
    });
  }
  const flags = ["serve", "--addr", "127.0.0.1:0", "--state", "memory", "--profiles", "100", "--texture", "tidy", ...more]; // a row is a line
  const child = spawn(program, web ? [...flags, "--web", join(root, "build/web")] : flags, { stdio: ["ignore", "pipe", "pipe"] });
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
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
