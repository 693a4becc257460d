import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bundled } from "../../docs/.vitepress/bundled.mjs";
import { types } from "./plugins/types.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  logLevel: "warn",
  plugins: [
    types(here("../actions/src/types.ts")),
    bundled(here("../../build/page-packages.json")),
  ],
  build: {
    // .ci/place renames it to build/web, when all of it is there.
    outDir: here("../../build/web.new"),
    emptyOutDir: true,
    target: "es2022",
    // Colours are pairs made with light-dark(), which these browsers have.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy of the page allows no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor is the one large part; it is loaded when the page is idle.
    chunkSizeWarningLimit: 450,
    reportCompressedSize: false,
    // The page of the server, and that of the API document.
    rolldownOptions: { input: [here("index.html"), here("docs.html")] },
  },
  server: { fs: { allow: [here("../..")] } },
});
