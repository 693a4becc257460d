import { HostError } from "/dist/index.js";

/** Makes the host of a vector: it notes what is done to it. See actions/testdata/vectors/README.md. */
export function recordingHost(spec) {
  const effects = [];
  const permission = (name) => spec[name] ?? "not_determined";
  const effect = (capability, name, details = {}, answer = undefined) => {
    const how = spec.refuse?.[capability];
    if (how) throw new HostError(how, "refused on purpose");
    effects.push({ host: name, ...details });
    return answer;
  };
  const host = {
    dismisser: { dismiss: () => effect("dismisser", "dismiss") },
    linkOpener: { open: (url, { inApp }) => effect("link_opener", "link.open", { url, in_app: inApp }) },
    notifications: {
      status: () => permission("notifications"),
      request: () => effect("notifications", "notifications.request", {}, permission("notifications")),
    },
    settings: { open: (page) => effect("settings", "settings.open", { page }) },
    clipboard: { write: (text) => effect("clipboard", "clipboard.write", { text }) },
    reviewer: { request: () => effect("reviewer", "review.request") },
    tracking: {
      status: () => permission("tracking"),
      request: () => effect("tracking", "tracking.request", {}, permission("tracking")),
    },
    userData: {
      addTag: (collection, tag) => effect("user_data", "tag.add", { collection, tag }),
      removeTag: (collection, tag) => effect("user_data", "tag.remove", { collection, tag }),
      sendEvent: (event) => effect("user_data", "event", event),
    },
  };
  const names = { link_opener: "linkOpener", user_data: "userData" };
  for (const name of spec.without ?? []) delete host[names[name] ?? name];
  if (spec.interceptor) {
    host.interceptor = { handle: (url) => effect("interceptor", "interceptor", { url }, spec.interceptor === "handled") };
  }
  return { host, effects };
}
