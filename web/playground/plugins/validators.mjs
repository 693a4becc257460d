// Compiles the schemas of the arguments into plain functions when the page is built: under the page's content security policy
// nothing may be compiled in the browser.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";

const name = "virtual:validators";
const suffix = ".arguments.json";

/** Makes the module `virtual:validators`: one validator per built-in, by its identifier. `folder` holds the schema files. */
export function validators(folder) {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file));
      return compile(folder);
    },
  };
}

/** The text of the module. */
export function compile(folder) {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    unicode: false,
    messages: false,
    logger: false,
    code: { source: true, esm: true },
  });
  const identifiers = readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length));
  const variable = (identifier) => identifier.replaceAll(/\W/g, "_");
  const exported = {};
  for (const identifier of identifiers) {
    const schema = JSON.parse(readFileSync(join(folder, identifier + suffix), "utf8"));
    ajv.addSchema(schema);
    exported[variable(identifier)] = schema.$id;
  }
  const code = standalone.default(ajv, exported);
  if (/\brequire\(|new Function|\beval\(/.test(code))
    throw new Error("the compiled validators need something that the page does not have");
  const table = identifiers.map((identifier) => `  ${JSON.stringify(identifier)}: ${variable(identifier)},`);
  return `${code}\nexport const validators = {\n${table.join("\n")}\n};\n`;
}
