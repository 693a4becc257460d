// Measures performs in Node by the time of the processor, for machines that are busy with other things. The medians of many rounds, in turns.
//
//   node bench/processor.mjs            both bundles
import { loadActions as loadLite } from "../dist/index.js";
import { loadActions } from "../dist/standard/index.js";
import { Plain, PlainShallow } from "./plain.js";
import { names, offThePath, payloads } from "./workload.js";

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
  ...Object.fromEntries(offThePath.map(([what, call]) => [what, [ours, 1_000, call]])),
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
