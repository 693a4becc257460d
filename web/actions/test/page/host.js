// A click performs what `window.next` says, in the click's own call stack, and `window.done` is the promise of its result.
import { HostError, browserHost, loadActions } from "/dist/index.js";

const seen = [];
const note = (name) => (...details) => void seen.push([name, ...details]);
const actions = await loadActions();
const supplied = actions.create({
  host: browserHost({
    dismisser: { dismiss: note("dismiss") },
    interceptor: { handle: (url) => (note("interceptor")(url), url.startsWith("/mine")) },
    navigate: (url) => note("navigate")(url.href),
    settings: { open: note("settings") },
    reviewer: { request: note("review") },
    tracking: { status: () => "not_determined", request: async () => (note("tracking")(), "authorized") },
    userData: { addTag: note("add"), removeTag: note("remove"), sendEvent: note("event") },
  }),
});
Object.assign(window, { actions, supplied, seen, HostError, browserHost });
window.show = ({ status, message, value, items }) => ({ status, message, value, items });
document.querySelector("#go").addEventListener("click", () => {
  const [registry, identifier, args] = window.next;
  window.done = window[registry].perform(identifier, args).then(window.show);
});
window.ready = true;
