// The documents as a site: the pages that pages.mjs lists, searchable without a network, served by the mock server at /guide/.
// `make docs` builds it into build/docs.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { bundled } from "./bundled.mjs";
import { copySources, slugify, sourceLinks } from "./links.mjs";
import { packages, pages, rewrite, sections, unlisted } from "./pages.mjs";
import { externalPictures, highlight, highlightSheet, unhurried, withoutInline, writeHighlightSheet } from "./policy.mjs";
import { titleOf } from "./title.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const base = "/guide/";
const sources = new Set();

/** An entry of the menu for each page; the title of a page is its first heading. */
function entries(names) {
  return names.map((name) => ({ text: titleOf(root + name), link: "/" + rewrite(name).replace(/\.md$/, "") }));
}

export default defineConfig({
  title: "Rehearsal",
  description: "Actions and data exports, before they are live",
  lang: "en",
  base,
  srcDir: root,
  srcExclude: ["**/node_modules/**", "build/**", "**/dist/**", ...unlisted(root)],
  outDir: `${root}build/docs.new`, // .ci/place renames it to build/docs, when all of it is there
  cacheDir: `${root}build/docs-cache`,
  rewrites: rewrite,
  buildConcurrency: 1, // else the search index has the pages in the order in which they were read
  ignoreDeadLinks: "localhostLinks",
  // Without this a style element would be added while the colours change.
  appearance: { disableTransition: false },
  head: [["link", { rel: "stylesheet", href: base + highlightSheet }]],
  markdown: {
    linkify: false,
    anchor: { slugify },
    codeTransformers: [unhurried, highlight],
    config: (md) => md.use(sourceLinks({ root, base, pages, rewrite, sources })),
  },
  vite: {
    plugins: [bundled(`${root}build/docs-packages.json`)],
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    // Pages lie outside of this folder, where the packages are.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: `${root}docs/node_modules/vue/dist/vue.runtime.esm-bundler.js` },
        { find: /^vue\/server-renderer$/, replacement: `${root}docs/node_modules/vue/server-renderer/index.mjs` },
      ],
    },
  },
  transformHtml: (code, id, { siteConfig }) => withoutInline(code, base, siteConfig.outDir),
  buildEnd: ({ outDir }) => {
    writeHighlightSheet(outDir);
    externalPictures(base, outDir);
    copySources(root, sources, outDir);
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [{ component: "ServerLink" }],
    sidebar: [
      ...sections.map(({ text, pages }) => ({ text, collapsed: false, items: entries(pages) })),
      { text: "Packages", collapsed: false, items: entries(Object.keys(packages)) },
    ],
  },
});
