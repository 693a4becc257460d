// Measures performs in Node by the time of the processor, for machines that are busy with other things. The medians of many rounds, in turns.
//
//   node bench/processor.mjs            both bundles
import { loadActions as loadLite } from "../dist/index.js";
import { loadActions } from "../dist/standard/index.js";
import { Plain, PlainShallow } from "./plain.js";

const names = ["Open-Cart", "say-Hello", "SHOW-offer", "track-View", "Add-Item", "remove-item", "Sign-In", "sign-OUT"].flatMap((n) => [n, n + "-Now"]);
const payloads = [0, 1, 2, 3].map((n) => ({ item: n, name: "a name", price: 9.5, gift: n % 2 === 0, note: "some text" }));
const push = { kind: "push", payload: { message: "m1", campaign: 7 } };
const group = { actions: names.slice(0, 10).map((name, i) => [name, payloads[i & 3]]) };

let sum = 0;
function filled(registry) {
  for (const name of names) registry.register(name, (invocation) => void (sum += invocation.arguments?.item ?? 1));
  registry.start?.();
  return registry;
}

const registries = { map: filled(new Plain()), shallow: filled(new PlainShallow()), standard: filled(await loadActions()), lite: filled(await loadLite()) };
const ours = ["standard", "lite"];
const all = Object.keys(registries);
const work = {
  "known, no arguments": [all, 100_000, (registry, i) => registry.perform(names[i & 15])],
  "known, 5 arguments": [all, 100_000, (registry, i) => registry.perform(names[i & 15], payloads[i & 3])],
  "trigger, 5 arguments and a payload": [ours, 10_000, (registry, i) => registry.trigger(names[i & 15], payloads[i & 3], push)],
  "group of ten, 5 arguments each": [ours, 500, (registry) => registry.perform("service.group", group)],
  "unknown identifier": [ours, 5_000, (registry) => registry.perform("nobody")],
};

const times = {};
for (let round = 0; round < 40; round++) {
  for (const [what, [kinds, calls, call]] of Object.entries(work)) {
    for (const kind of kinds) {
      const registry = registries[kind];
      const before = process.cpuUsage();
      for (let i = 0; i < calls; i++) call(registry, i);
      const { user, system } = process.cpuUsage(before);
      await null; // the results
      if (round >= 5) ((times[what] ??= {})[kind] ??= []).push((user + system) / calls);
    }
  }
}
for (const [what, kinds] of Object.entries(times)) {
  const medians = Object.entries(kinds).map(([kind, list]) => [kind, list.sort((a, b) => a - b)[list.length >> 1]]);
  const { shallow } = Object.fromEntries(medians);
  const shown = medians.map(([kind, time]) => `${kind} ${time.toFixed(3)}${shallow && ours.includes(kind) ? ` (${(time / shallow).toFixed(2)} of shallow)` : ""}`);
  console.log(`${what.padEnd(36)} us: ${shown.join("   ")}`);
}
process.exit(sum > 0 ? 0 : 1);
