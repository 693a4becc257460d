// Reads from the types of the package what a handler meets, for the completion of the editor.

import { readFileSync } from "node:fs";
import ts from "typescript";

const name = "virtual:types";
const wanted = ["Invocation", "Source", "Result"];

/** Makes the module `virtual:types`. `file` declares the interfaces. */
export function types(file) {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      this.addWatchFile(file);
      return `export const types = ${JSON.stringify(read(file))};`;
    },
  };
}

/** The members of each interface that is wanted: name, type and description. */
export function read(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found = source.statements.filter((one) => ts.isInterfaceDeclaration(one) && wanted.includes(one.name.text));
  if (found.length !== wanted.length) throw new Error(`${file} declares ${found.length} of ${wanted.join(", ")}`);
  return Object.fromEntries(found.map(({ name, members }) => [name.text, members.map((member) => described(member, source))]));
}

function described(member, source) {
  const about = ts.getJSDocCommentsAndTags(member).map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? "").join(" ");
  const signature = member.type.getText(source).replaceAll(/\s+/g, " ").replaceAll(/HandlerArguments<.*?>/g, "Arguments").replaceAll(/Result<ValueOf<.*?>>/g, "Result");
  const parameters = ts.isMethodSignature(member) ? `(${member.parameters.map((one) => one.name.getText(source) + (one.questionToken ? "?" : "")).join(", ")}) => ` : "";
  return { name: member.name.getText(source), type: parameters + signature, about: about.replaceAll(/\{@link (.*?)\}/g, "$1").replaceAll(/\s+/g, " ").trim() };
}
