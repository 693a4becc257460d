// The arrows that imports may take, as a table: what a folder may import beside itself. Anything else, and any circle, is an error.

const actions = "^actions/src";
const page = "^playground/src";

// From the bottom up.
const playground = {
  core: [],
  ui: ["core"],
  editor: ["core"],
  handlers: ["core"],
  server: ["core"],
  hosts: ["core", "server"],
  sessions: ["core", "hosts", "handlers"],
  actions: ["core", "ui", "editor", "server", "hosts", "sessions"],
  "exports/api": ["core", "server"],
  "exports/file": ["core", "ui", "server", "exports/api"],
  "exports/exchange": ["core", "ui", "server"],
  "exports/runs": ["core", "server", "exports/api"],
  "exports/request": ["core", "ui", "editor", "server", "exports/api", "exports/exchange", "exports/runs"],
  "exports/result": ["core", "ui", "server", "exports/api", "exports/exchange", "exports/file", "exports/request", "exports/runs"],
  "exports/search": ["core", "server", "exports/api", "exports/file", "exports/request", "exports/runs"],
  "exports/person": ["ui", "server", "exports/api", "exports/request", "exports/search"],
  "exports/clock": ["server", "exports/runs"],
  "exports/journal": ["ui", "server", "exports/exchange", "exports/request"],
  exports: ["core", "ui", "server", "exports/api"],
  docs: [],
  roundtrip: ["core", "ui", "hosts", "sessions", "server", "exports/api", "exports/request", "exports/search"],
};

const arrows = Object.entries(playground).map(([folder, allowed]) => ({
  name: `playground/${folder}`,
  severity: "error",
  comment: `${folder} may import ${allowed.join(", ") || "no other folder"} of the page`,
  from: { path: `${page}/${folder}/${folder === "exports" ? "[^/]+$" : ""}` },
  to: { path: `${page}/`, pathNot: [folder, ...allowed, "style"].map((name) => `${page}/${name}/`) },
}));

export default {
  forbidden: [
    { name: "no-circle", severity: "error", comment: "files that import each other, types included", from: {}, to: { circular: true } },
    { name: "unresolved", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "^(virtual:|go-runtime$)|/build/viewer/" } },
    {
      name: "one-adapter",
      severity: "error",
      comment: "only core/adapter.ts imports the package of the actions",
      from: { path: page, pathNot: `${page}/core/adapter\\.ts$` },
      to: { path: "^actions/|@rehearsal/actions" },
    },
    { name: "package-alone", severity: "error", comment: "the package imports nothing of the page", from: { path: actions }, to: { path: page } },
    ...arrows,
  ],
  options: {
    doNotFollow: { path: "node_modules|^actions/dist" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default", "types"] },
  },
};
