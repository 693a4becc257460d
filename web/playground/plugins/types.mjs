// Reads from the types of the package what a handler meets, for the completion of the editor.

import { readFileSync } from "node:fs";
import { parseSync } from "vite";

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
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const declared = program.body.map((one) => one.declaration ?? one);
  const found = declared.filter((one) => one.type === "TSInterfaceDeclaration" && wanted.includes(one.id.name));
  if (found.length !== wanted.length) throw new Error(`${file} declares ${found.length} of ${wanted.join(", ")}`);
  return Object.fromEntries(found.map(({ id, body }) => [id.name, body.body.map((member) => described(member, text, comments))]));
}

function described(member, text, comments) {
  const source = (node) => text.slice(node.start, node.end);
  const about = comments.filter((one) => one.type === "Block" && one.value.startsWith("*") && one.end <= member.start && text.slice(one.end, member.start).trim() === "");
  const plain = about.map((one) => one.value.slice(1).replaceAll(/^\s*\* ?/gm, "")).join(" ");
  const type = (member.returnType ?? member.typeAnnotation).typeAnnotation;
  const signature = source(type).replaceAll(/\s+/g, " ").replaceAll(/HandlerArguments<.*?>/g, "Arguments").replaceAll(/Result<ValueOf<.*?>>/g, "Result");
  const parameters = member.type === "TSMethodSignature" ? `(${member.params.map((one) => one.name + (one.optional ? "?" : "")).join(", ")}) => ` : "";
  return { name: member.key.name, type: parameters + signature, about: plain.replaceAll(/\{@link (.*?)\}/g, "$1").replaceAll(/\s+/g, " ").trim() };
}
