// The hosts by name.

/** The hosts that the page has itself. */
export type OwnHost = "browser" | "phone";
/** The name of a host: those of the page, and the app that was chosen of those that have joined. */
export type HostName = OwnHost | "app";

/** The hosts as the page calls them. */
export const hostTitles: Record<HostName, string> = { browser: "This browser", phone: "Phone", app: "Your app" };
