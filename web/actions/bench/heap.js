import { Instance } from "/page/instances.js";
import { loadActions } from "/dist/index.js";

let made;

/** Performs so many times and gives the bytes of the program's memory. */
export async function perform(times) {
  const actions = (made ??= await prepare());
  for (let i = 0; i < times; i++) {
    const result = actions.perform(i & 1 ? "add-item" : "Add-Item", { item: i, name: "a name" });
    if (i % 1000 === 0) {
      await result;
    }
  }
  return (Instance.last.exports.mem ?? Instance.last.exports.memory).buffer.byteLength;
}

async function prepare() {
  const actions = await loadActions();
  actions.register("add-item", (invocation) => ({ item: invocation.arguments.item }));
  return actions;
}
