import { loadActions as loadLite } from "/dist/index.js";
import { loadActions } from "/dist/standard/index.js";
import { Plain, PlainAwaiting, PlainCopying, PlainShallow } from "./plain.js";
import { names, offThePath, payloads } from "./workload.js";

/** Spells a name with other capitals, so that it is a text that was not seen before. */
function spell(name, variant) {
  let text = "";
  for (let i = 0; i < name.length; i++) {
    text += (variant >> i % 16) & 1 ? name[i].toUpperCase() : name[i].toLowerCase();
  }
  return text;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** Runs the candidates in turns and gives the median nanoseconds of one call of each. */
async function race(candidates, calls, rounds) {
  const times = candidates.map(() => []);
  for (let round = 0; round < rounds + 2; round++) {
    for (const [i, candidate] of candidates.entries()) {
      const run = candidate(calls, round);
      const start = performance.now();
      await run();
      const time = ((performance.now() - start) * 1e6) / calls;
      if (round >= 2) times[i].push(time);
    }
  }
  return times.map(median);
}

let sum = 0;
const handler = (invocation) => {
  sum += invocation.arguments?.item ?? 1;
};
const slow = async (invocation) => {
  sum += invocation.arguments?.item ?? 1;
};

function filled(registry, code) {
  for (const name of names) registry.register(name, code);
  return registry;
}

/** Performs known spellings with arguments, or without any. */
const known = (registry, withArguments) => (calls) => () => {
  for (let i = 0; i < calls; i++) registry.perform(names[i & 15], withArguments ? payloads[i & 3] : undefined);
};

const fresh = (registry, withArguments) => (calls, round) => {
  // As they come from a payload: every text is a new one and in one piece.
  const texts = JSON.parse(JSON.stringify(Array.from({ length: calls }, (_, i) => spell(names[i & 15], (i >> 4) + round * 7919))));
  return () => {
    for (let i = 0; i < calls; i++) registry.perform(texts[i], withArguments ? payloads[i & 3] : undefined);
  };
};

const awaited = (registry) => (calls) => async () => {
  for (let i = 0; i < calls; i++) await registry.perform(names[i & 15], payloads[i & 3]);
};

/** Measures performs and gives nanoseconds: [plain, plain that copies shallowly, plain that copies, ours, ours of the lite bundle]. */
export async function measure(rounds = 9) {
  const [actions, lite] = await Promise.all([loadActions(), loadLite()]);
  const ours = filled(actions.create(), handler);
  const oursLite = filled(lite.create(), handler);
  const plain = filled(new Plain(), handler);
  const shallow = filled(new PlainShallow(), handler);
  const copying = filled(new PlainCopying(), handler);
  const oursSlow = filled(actions.create(), slow);
  const oursLiteSlow = filled(lite.create(), slow);
  const plainSlow = filled(new PlainAwaiting(), slow);
  const result = {};
  for (const [name, make] of Object.entries({ known, fresh })) {
    for (const withArguments of [false, true]) {
      const key = `${name}, ${withArguments ? "5 arguments" : "no arguments"}`;
      result[key] = await race([plain, shallow, copying, ours, oursLite].map((r) => make(r, withArguments)), name === "known" ? 100000 : 20000, rounds);
    }
  }
  result.asynchronous = await race([plainSlow, plainSlow, plainSlow, oursSlow, oursLiteSlow].map(awaited), 20000, rounds);
  return { result, sum };
}

/** Measures what does not take the shortest path, and gives [name, microseconds, those of the lite bundle, aim]. */
export async function measureOffThePath(rounds = 9) {
  const registries = (await Promise.all([loadActions(), loadLite()])).map((actions) => filled(actions.create({ host: {} }), handler));
  for (const registry of registries) registry.start();
  const rows = [];
  for (const [name, call, aim] of offThePath) {
    const candidates = registries.map((registry) => (calls) => async () => {
      for (let i = 1; i < calls; i++) call(registry);
      await call(registry);
    });
    const [ours, lite] = await race(candidates, 2000, rounds);
    rows.push([name, ours / 1000, lite / 1000, aim]);
  }
  return rows;
}
