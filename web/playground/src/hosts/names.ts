// The two hosts by name.

/** The name of a host. */
export type HostName = "browser" | "phone";

/** The hosts as the page calls them. */
export const hostTitles: Record<HostName, string> = { browser: "This browser", phone: "Phone" };
