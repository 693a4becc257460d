// Links between the documents and the rest of the repository. A document links to files as they lie in the repository, so that
// the links work on a code host too; on the site a link to a file that is no document leads to a copy of that file.
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The anchor of a heading, as code hosts make it, so that a link with a fragment works in both places. */
export function slugify(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "").replace(/\s/g, "-");
}

/** Where the repository is, for documents that are read outside of it, such as those of npm packages: their links are whole. */
const repository = /^https:\/\/github\.com\/rehearsal-sdk\/rehearsal\/(?:tree|blob)\/main\//;

/** Whether a link leads somewhere else than into the repository. */
function leads(href) {
  return /^(?:[a-z]+:|#|\/)/i.test(href);
}

/**
 * A markdown-it plugin that sends links between documents to their places on the site, and links to sources to their copies under
 * /source/, of which it keeps a list. A link to a folder becomes one to its README, or no link where there is none.
 */
export function sourceLinks({ root, base, pages, rewrite, sources }) {
  return (md) => {
    md.core.ruler.push("source-links", (state) => {
      const page = state.env.realPath ?? state.env.path;
      if (!page) return;
      for (const block of state.tokens) {
        const open = [];
        for (const token of block.children ?? []) {
          if (token.type === "link_close") {
            if (open.pop()) token.tag = "span";
          } else if (token.type === "link_open") {
            open.push(redirect(token, page));
          }
        }
      }
    });

    /** Changes the target of a link; says whether it is a link no longer. */
    function redirect(token, page) {
      const href = token.attrGet("href");
      const own = repository.test(href);
      const [path, fragment] = href.replace(repository, "").split("#");
      if ((!own && leads(href)) || path === "") return false;
      let target = resolve(own ? root : dirname(page), decodeURI(path));
      if (!existsSync(target)) return false; // the build names it as a dead link
      if (statSync(target).isDirectory()) target = join(target, "README.md");
      const name = relative(root, target);
      if (pages.has(name)) {
        token.attrSet("href", `/${rewrite(name)}${fragment ? `#${fragment}` : ""}`);
        return false;
      }
      if (!existsSync(target)) {
        token.tag = "span";
        token.attrs = [];
        return true;
      }
      sources.add(name);
      token.attrSet("href", `${base}source/${name}.txt`);
      token.attrSet("target", "_blank");
      return false;
    }
  };
}

/** Copies the sources that documents link to, as text. */
export function copySources(root, sources, outDir) {
  for (const name of sources) {
    const copy = join(outDir, "source", `${name}.txt`);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, name), copy);
  }
}
