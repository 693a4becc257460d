// How much a run of the tests does: TEST_LEVEL is quick, change, which is the usual one, or nightly. At night everything runs, with full
// counts. The browser tests of the actions, of the page and of the documents share this.

const levels = ["quick", "change", "nightly"];
const level = process.env.TEST_LEVEL || "change";
if (!levels.includes(level)) throw new Error(`TEST_LEVEL is ${level}, and may be ${levels.join(", ")}`);

/** Whether everything runs. */
export const nightly = level === "nightly";

/** The number of the level. */
export const count = (...numbers) => numbers[levels.indexOf(level)];

/** What is run of a list or an object: at night everything, else the entries that are named. */
export function some(all, ...names) {
  const keys = Array.isArray(all) ? all : Object.keys(all);
  for (const name of names) if (!keys.includes(name)) throw new Error(`there is no ${name} among ${keys.join(", ")}`);
  if (nightly) return all;
  return Array.isArray(all) ? all.filter((one) => names.includes(one)) : Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** Gives, for the n-th of several tests, which of the cases it runs: at night all, else the next one, from one that the seed draws. */
export function inTurn(cases) {
  const first = nightly ? 0 : seed();
  return (n) => (nightly ? cases : [cases[(first + n) % cases.length]]);
}

/** A seed of random numbers, which is printed: TEST_SEED, or else another number in each run. It has 31 bits. */
export function seed() {
  process.env.TEST_SEED ||= String(Math.floor(Math.random() * 2 ** 31));
  const text = process.env.TEST_SEED;
  console.log(`# drawn by TEST_SEED=${text}`);
  return Number(BigInt.asUintN(31, BigInt(text)));
}
