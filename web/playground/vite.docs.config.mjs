// The page of the API document is built by itself, into the same folder: the page of the server keeps its few large chunks.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressed } from "./plugins/compressed.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [compressed(here("../../build/web"))],
  build: {
    outDir: here("../../build/web"),
    emptyOutDir: false,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: here("docs.html") },
  },
});
