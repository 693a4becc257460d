// The pages of the site, in the order of its menu. A page that is not listed is read in the repository alone: decisions, history, and
// documents for people who change the code.
import { readdirSync } from "node:fs";

/** The largest number of pages: a reader has to find one of them. */
const most = 45;

/** The sections of the menu. The pages of a section are files of its folder under docs. */
export const sections = [
  { text: "Tutorials", folder: "tutorials", pages: "first-export first-go-test first-action tours" },
  {
    text: "How-to guides",
    folder: "how-to",
    pages: `install configure ci network state
      force-errors move-the-clock nightly-pipeline lint-a-client
      go-tests python-tests node-tests java-tests parallel-tests
      generate-files load-a-dataset import-exports
      overlays another-service get-the-schemas generate-a-client
      validate-real-files real-account record-and-replay`,
  },
  { text: "Reference", folder: "reference", pages: "commands exports control-api scenarios lints check-rules data-files dialect" },
  { text: "Explanation", folder: "explanation", pages: "specification world awkward-values budgets promises" },
].map((section) => ({ ...section, pages: section.pages.split(/\s+/).map((name) => `docs/${section.folder}/${name}.md`) }));

/** Pages from elsewhere in the repository, with their place on the site. */
export const packages = {
  "web/actions/README.md": "packages/web-actions.md",
  "mobile/README.md": "packages/mobile.md",
  "schemas/README.md": "packages/schemas.md",
};

export const pages = new Set(["docs/index.md", ...sections.flatMap((section) => section.pages), ...Object.keys(packages)]);

/** The place of a document on the site. */
export const rewrite = (name) => packages[name] ?? name.replace(/^docs\//, "");

/** All other documents below a folder, as paths from the root. A page in a folder of a section has to be listed. */
export function unlisted(root, folder = "") {
  if (pages.size > most) throw new Error(`the site has ${pages.size} pages, at most ${most} are allowed`);
  const others = readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return /^(\..*|node_modules|build|dist)$/.test(entry.name) ? [] : unlisted(root, `${path}/`);
    return path.endsWith(".md") && !pages.has(path) ? [path] : [];
  });
  const lost = others.filter((path) => sections.some((section) => path.startsWith(`docs/${section.folder}/`)));
  if (lost.length > 0) throw new Error(`docs/.vitepress/pages.mjs does not list ${lost.join(", ")}`);
  return others;
}
