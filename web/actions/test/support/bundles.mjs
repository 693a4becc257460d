// Which bundle is tested: one that ACTIONS_BUNDLE names is in every entry of the package, see build.mjs.
import { findTinyGo } from "../../build-program.mjs";

export { buildProgram, findTinyGo } from "../../build-program.mjs";

/** The bundle that `@rehearsal/actions` loads. */
export const bundle = process.env.ACTIONS_BUNDLE ?? (findTinyGo().problem ? "standard" : "lite");
