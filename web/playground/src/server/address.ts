// Where the server is: a proxy may have put it, and this page, below a path.

/** The address of the server, without a slash at its end. */
export const server = (): string => new URL(".", location.href).href.slice(0, -1);

/** The path of a link to a file, as the server sees it: links have the path of the proxy where the server knows of it. */
export function within(link: string): string {
  const { pathname, search } = new URL(link);
  const base = new URL(".", location.href).pathname;
  return (pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : pathname) + search;
}
