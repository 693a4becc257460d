// What the generator writes inline goes into files: the server's Content-Security-Policy allows no inline script or style.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformerStyleToClass } from "@shikijs/transformers";

/** Gives highlighted code classes instead of style attributes; their style sheet is written at the end of the build. */
export const highlight = transformerStyleToClass({ classPrefix: "shiki-" });

/** Lets highlighting take its time. It would give up within a line after half a second, which a busy machine needs now and then. */
export const unhurried = { name: "unhurried", preprocess: (_, options) => void (options.tokenizeTimeLimit = 0) };

/** The style sheet of highlighted code, beside the others. */
export const highlightSheet = "assets/highlight.css";

export function writeHighlightSheet(outDir) {
  mkdirSync(join(outDir, "assets"), { recursive: true });
  // Pages are highlighted at once for the browser and for the server, in an order that differs.
  const rules = highlight.getCSS().split(/(?<=\})/).sort();
  writeFileSync(join(outDir, highlightSheet), rules.join(""));
}

/** Moves the pictures in style sheets into files. */
export function externalPictures(base, outDir) {
  const sheets = readdirSync(outDir, { recursive: true }).filter((name) => name.endsWith(".css"));
  for (const sheet of sheets) {
    const text = readFileSync(join(outDir, sheet), "utf8");
    const moved = text.replace(/url\((["']?)data:image\/svg\+xml(?:;[a-z0-9=-]+)?,(.*?)\1\)/g, (_, quote, data) => {
      const picture = decodeURIComponent(data).trim();
      return `url(${base}${writeHashed(outDir, "picture", "svg", picture)})`;
    });
    if (moved !== text) writeFileSync(join(outDir, sheet), moved);
  }
}

/** Writes a file whose name changes with its content; gives the name. */
function writeHashed(outDir, stem, extension, content) {
  const name = `assets/${stem}.${createHash("sha256").update(content).digest("hex").slice(0, 8)}.${extension}`;
  mkdirSync(join(outDir, dirname(name)), { recursive: true });
  writeFileSync(join(outDir, name), content);
  return name;
}

/** Moves the inline scripts of a page into files, which browsers run at the same moment, and drops style attributes: style.css has
 * what they say, or a script sets it. */
export function withoutInline(html, base, outDir) {
  return html.replace(/(<[a-z][^<>]*?) style="[^"<>]*"/g, "$1").replace(/<script([^>]*)>([^<]+)<\/script>/g, (whole, attributes, code) => {
    if (/\bsrc=/.test(attributes) || /type="(?!module)/.test(attributes)) return whole;
    return `<script${attributes} src="${base}${writeHashed(outDir, "inline", "js", code)}"></script>`;
  });
}
