// The checked-in lite program, wasm/lite, for machines without TinyGo.
//
//   node lite.mjs make       makes it anew, with TinyGo
//   node lite.mjs check      fails when what it is made of has changed since; needs no compiler
//   node lite.mjs compare    makes it in another folder, and fails when it is not the same, byte for byte
import { compareLite, keepLite, keptProblem } from "./build-program.mjs";

const commands = { make: keepLite, check: keptProblem, compare: compareLite };
const command = commands[process.argv[2]];
if (!command) throw new Error(`say one of ${Object.keys(commands).join(", ")}`);
const problem = command();
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
