/** Where an app runs that joins the playground: its name and identity, the addresses to try, and why none lets it in. */

interface System {
  readonly argv: readonly string[];
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: "node:os"): { hostname(): string };
}

/** The globals of which some are nowhere else. */
const { document, location, process: system } = globalThis as { document?: Document; location?: Location; process?: System };

export const platform: "web" | "node" = system?.versions?.node && !document ? "node" : "web";

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether this is a production build, as bundlers and Node say it. */
export function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === "production";
  } catch {
    return false; // a page that no bundler made has none
  }
}

/** The name of an app that gives none. */
export const nameHere = (): string => document?.title || (location?.host ?? system?.argv[1]?.split(/[\\/]/).at(-1)) || "App";

const key = "rehearsal-playground";

/** What tells this app from others, the same after a restart: of a device for Node, else of an origin, and for further tabs of theirs. */
export async function identityHere(name = ""): Promise<string> {
  let kept = `${location?.href} ${globalThis.navigator?.userAgent}`; // of a worker
  if (platform === "node") {
    kept = `${system?.getBuiltinModule?.("node:os").hostname()} ${system?.argv[1]}`;
  }
  try {
    kept = localStorage.getItem(key) ?? Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");
    localStorage.setItem(key, kept);
  } catch {
    // not there, or not allowed
  }
  const page = globalThis as { [key: symbol]: Promise<string> | undefined };
  return `${await (page[Symbol.for(key)] ??= unshared(kept, 1))}${name && ` ${name}`}`.slice(0, 200);
}

/**
 * The first of an identity's numbers that no other tab has: one is another's when it is not given up in time, as a page that is reloaded
 * does. Any other refusal ends the search, since it would be the same for every number, at once: WebKit's when it takes the locks of a page
 * that goes, and each engine's where a page may keep nothing.
 */
async function unshared(identity: string, number: number): Promise<string> {
  const numbered = number === 1 ? identity : `${identity} ${number}`;
  if (document === undefined || globalThis.navigator?.locks === undefined) {
    return numbered;
  }
  return new Promise((resolve) => {
    const keep = () => (resolve(numbered), new Promise(() => {}));
    const options = { signal: AbortSignal.timeout(300) };
    const next = ({ name }: Error) => resolve(name === "TimeoutError" ? unshared(identity, number + 1) : numbered);
    navigator.locks.request(`${key} ${numbered}`, options, keep).catch(next);
  });
}

const isLoopback = (host: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(host);

/** The addresses at which a server may be that was given by one: that of a developer's machine is another on other devices. */
export function addressesOf(url: URL): string[] {
  const at = (host: string) => `${url.protocol}//${host}${url.port && `:${url.port}`}${url.pathname.replace(/\/$/, "")}`;
  const hosts = [url.hostname];
  if (isLoopback(url.hostname)) {
    hosts.push(...(location?.hostname && !isLoopback(location.hostname) ? [location.hostname] : []));
    hosts.push(...(/Android/.test(globalThis.navigator?.userAgent) ? ["10.0.2.2", "10.0.3.2"] : ["127.0.0.1"]));
  }
  return [...new Set(hosts)].map(at);
}

/** What lets a page that was served by https reach this address, in browsers that know it. */
export function reaching(address: string): object {
  const { protocol, hostname } = new URL(address);
  return location?.protocol === "https:" && protocol === "http:" ? { targetAddressSpace: isLoopback(hostname) ? "loopback" : "local" } : {};
}

const silent = "nothing listens there. Start `mockserver serve`, with --lan for apps on other devices.";
const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: silent,
  ENOTFOUND: "no machine has this name here. Give the address that the page shows under *Connect an app*.",
};

/** Why a request was not answered, and what to do. */
export async function whyNot(address: string, { name, message, cause }: Error): Promise<string> {
  const { code = "", message: reason = message } = (cause ?? {}) as { code?: string; message?: string };
  if (name === "TimeoutError") {
    return "it does not answer in time. Is it the address in this network, and does the firewall let it through?";
  }
  if (platform === "node") {
    return codes[code] ?? `${reason}. Give the address that the page shows under *Connect an app*.`;
  }
  let policy = false;
  const hear = () => void (policy = true);
  addEventListener("securitypolicyviolation", hear);
  const probe: RequestInit = { mode: "no-cors", signal: AbortSignal.timeout(700), ...reaching(address) };
  const answers = await fetch(address, probe).then(() => true, () => false);
  await new Promise((resolve) => setTimeout(resolve)); // a violation is told after the refusal
  removeEventListener("securitypolicyviolation", hear);
  if (answers) {
    return "something answers, and is no mock server that apps can join. Is it an older one, or another program?";
  }
  if (policy) {
    return `the Content-Security-Policy of this page forbids it. Add ${new URL(address).origin} to its connect-src while you develop.`;
  }
  const asked = ["local-network-access", "loopback-network", "local-network"].map((name) =>
    Promise.resolve(navigator.permissions?.query({ name: name as PermissionName })).then((status) => status?.state, () => undefined),
  );
  if ((await Promise.all(asked)).includes("denied")) {
    return "the browser keeps this page from the local network. Allow it beside the address, under the settings of this site.";
  }
  if (location?.protocol === "https:" && address.startsWith("http:")) {
    return "browsers keep pages of https from plain http. Open the page by http://localhost, or answer the browser's question.";
  }
  return silent;
}
