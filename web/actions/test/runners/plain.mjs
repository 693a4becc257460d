// For what only runs it: Bun and Deno.
import assert from "node:assert/strict";
import { loadActions } from "@rehearsal/actions";
import * as testing from "@rehearsal/actions/testing";
import { testShare } from "./share.mjs";

await testShare(testing, assert.deepEqual);
assert.equal((await (await loadActions()).perform("service.clipboard", { t: "x" })).status, "unsupported");
console.log("passed");
