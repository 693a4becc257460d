// Bundles the entries beside the module itself, which they import.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Names of the entries: what is in src/NAME.ts can be imported as @rehearsal/actions/NAME. */
export const entries = ["playground", "testing", "react", "service-worker", "vue"];

/** Leaves the module itself out: there must be one of it. */
const itself = (extension) => ({
  name: "itself",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/index\.js$/ }, () => ({ path: `./index.${extension}`, external: true }));
  },
});

export async function buildEntries() {
  for (const [format, extension] of [["esm", "js"], ["cjs", "cjs"]]) {
    await build({
      entryPoints: entries.map((name) => join(here, `src/${name}.ts`)),
      outdir: join(here, "dist"),
      outExtension: { ".js": `.${extension}` },
      bundle: true,
      packages: "external",
      format,
      target: "es2022",
      define: { "process.env.NODE_ENV": "process.env.NODE_ENV" }, // the application's bundler says it
      plugins: [itself(extension)],
      logLevel: "warning",
    });
  }
}
