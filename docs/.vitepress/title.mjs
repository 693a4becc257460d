import { readFileSync } from "node:fs";

/** The first heading of a document, without markup. */
export function titleOf(file) {
  const heading = /^# (.*)$/m.exec(readFileSync(file, "utf8"));
  if (!heading) throw new Error(`${file} has no heading`);
  return heading[1].replaceAll("`", "");
}
