// A request, and the same as a command.

/** A request, ready to be sent or shown. */
export interface Prepared {
  method: string;
  /** From the first slash on. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** Quotes a text for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command, for a server at `base`. */
export function curl({ method, path, headers, body }: Prepared, base: string): string {
  const verb = ["GET", "POST"].includes(method) ? [] : [`-X ${method}`];
  const lines = [`curl -sS ${shellQuote(base + path)}`, ...verb, ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)];
  return [...lines, ...(body ? [`-d ${shellQuote(body)}`] : [])].join(" \\\n  ");
}
