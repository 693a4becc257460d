// What is performed: the same on a page and in Node.
const cart = ["Open-Cart", "say-Hello", "SHOW-offer", "track-View", "Add-Item", "remove-item", "Sign-In", "sign-OUT"];

/** Identifiers of actions that are registered. */
export const names = cart.flatMap((name) => [name, name + "-Now"]);
/** Five arguments. */
export const payloads = [0, 1, 2, 3].map((n) => ({ item: n, name: "a name", price: 9.5, gift: n % 2 === 0, note: "some text" }));

const push = { kind: "push", payload: { message: "m1", campaign: 7 } };
const group = { actions: names.slice(0, 10).map((name, i) => [name, payloads[i & 3]]) };

/** What does not take the shortest path: a name, a call, and the most microseconds that it is to take. */
export const offThePath = [
  ["trigger, 5 arguments and a payload", (registry, i = 0) => registry.trigger(names[i & 15], payloads[i & 3], push), 10],
  ["group of ten, 5 arguments each", (registry) => registry.perform("service.group", group), 60],
  ["unknown identifier", (registry) => registry.perform("nobody"), 2],
  ["built-in, unsupported here", (registry) => registry.perform("service.dismiss")],
];
