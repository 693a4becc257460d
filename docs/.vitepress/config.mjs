// The documents as a site: docs/ and the README of each folder, searchable without a network, served by the mock server at
// /guide/. `make docs` builds it into build/docs.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { bundled } from "./bundled.mjs";
import { copySources, slugify, sourceLinks } from "./links.mjs";
import { externalPictures, highlight, highlightSheet, unhurried, withoutInline, writeHighlightSheet } from "./policy.mjs";
import { titleOf } from "./title.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const base = "/guide/";
const sections = ["tutorials", "how-to", "reference", "explanation", "decisions"];

/** The documents of a section, in the order in which its index links to them. */
function documentsOf(section) {
  const folder = `${root}docs/${section}`;
  const index = readFileSync(`${folder}/index.md`, "utf8");
  const linked = [...new Set([...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map((found) => found[1]))];
  const lost = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "index.md" && !linked.includes(name));
  if (lost.length > 0) throw new Error(`docs/${section}/index.md does not link to ${lost.join(", ")}`);
  return linked.map((name) => `docs/${section}/${name}`);
}

/** Pages from elsewhere in the repository, with their place on the site. */
const packages = {
  "actions/README.md": "packages/actions.md",
  "actions/testdata/vectors/README.md": "packages/vectors.md",
  "schemas/README.md": "packages/schemas.md",
  "schemas/npm/README.md": "packages/schemas-npm.md",
  "schemas/python/README.md": "packages/schemas-python.md",
  "schemas/java/README.md": "packages/schemas-java.md",
  "wasm/README.md": "packages/wasm.md",
  "web/README.md": "packages/web.md",
  "web/actions/README.md": "packages/web-actions.md",
  "web/playground/README.md": "packages/playground.md",
  "mobile/README.md": "packages/mobile.md",
  "mobile/THREADS.md": "packages/mobile-threads.md",
  "mobile/SHIPPING.md": "packages/mobile-shipping.md",
  "mobile/kotlin/README.md": "packages/mobile-kotlin.md",
  "mobile/swift/README.md": "packages/mobile-swift.md",
  "mobile/ios/stubs/README.md": "packages/mobile-stubs.md",
  "mockserver/examples/README.md": "packages/examples.md",
  "README.md": "project/readme.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "SECURITY.md": "project/security.md",
  "CHANGELOG.md": "project/changelog.md",
  "RATIONALE.md": "project/rationale.md",
};
const indexes = sections.map((section) => `docs/${section}/index.md`);
const pages = new Set(["docs/index.md", ...indexes, ...sections.flatMap(documentsOf), ...Object.keys(packages)]);
const sources = new Set();

/** The place of a document on the site. */
const rewrite = (name) => packages[name] ?? name.replace(/^docs\//, "");

/** Sidebar entries; the title of a page is its first heading. */
function entries(names) {
  return names.map((name) => ({ text: titleOf(root + name), link: "/" + rewrite(name).replace(/\.md$/, "") }));
}

/** A section of the sidebar. */
function section(name, text, collapsed) {
  return { text, link: `/${name}/`, collapsed, items: entries(documentsOf(name)) };
}

export default defineConfig({
  title: "Rehearsal",
  description: "Actions and data exports, before they are live",
  lang: "en",
  base,
  srcDir: root,
  srcExclude: ["**/node_modules/**", "build/**", "**/dist/**"],
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
    nav: [
      { text: "Tutorials", link: "/tutorials/", activeMatch: "^/tutorials/" },
      { text: "How-to", link: "/how-to/", activeMatch: "^/how-to/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Explanation", link: "/explanation/", activeMatch: "^/explanation/" },
      { component: "ServerLink" },
    ],
    sidebar: [
      section("tutorials", "Tutorials", false),
      section("how-to", "How-to guides", false),
      section("reference", "Reference", false),
      section("explanation", "Explanation", false),
      { text: "Packages", collapsed: true, items: entries(Object.keys(packages).filter((name) => packages[name].startsWith("packages/"))) },
      section("decisions", "Decisions", true),
      { text: "Project", collapsed: true, items: entries(Object.keys(packages).filter((name) => packages[name].startsWith("project/"))) },
    ],
  },
});
