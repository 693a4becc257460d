import { loadActions } from "/dist/index.js";

const actions = await loadActions();
actions.register("Say-Hello", ({ arguments: args }) => `Hello, ${args.name}`);
actions.start();
const { status, value } = await actions.perform("say-hello", { name: "Ada" });
document.title = `${status}: ${value}`;
