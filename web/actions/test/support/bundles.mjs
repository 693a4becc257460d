// Which bundle is tested: one that ACTIONS_BUNDLE names is in every entry of the package, see build.mjs.
import { findLite } from "../../build-program.mjs";

export { buildProgram, findLite } from "../../build-program.mjs";

/** The bundle that `@rehearsal/actions` loads. */
export const bundle = process.env.ACTIONS_BUNDLE ?? (findLite().problem ? "standard" : "lite");
