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

const settings = {
  strict: true,
  allErrors: true,
  unicode: false,
  messages: false,
  logger: false,
  code: { source: true, esm: true },
};

/** The text of the module with the validators of the arguments. */
export function compile(folder) {
  const ajv = new Ajv2020(settings);
  const identifiers = readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length));
  const schemas = identifiers.map((identifier) => JSON.parse(readFileSync(join(folder, identifier + suffix), "utf8")));
  for (const schema of schemas) ajv.addSchema(schema);
  return written(ajv, Object.fromEntries(schemas.map((schema, i) => [identifiers[i], schema.$id])));
}

function written(ajv, exported) {
  const variable = (key) => key.replaceAll(/\W/g, "_");
  const code = standalone.default(ajv, Object.fromEntries(Object.entries(exported).map(([key, id]) => [variable(key), id])));
  if (/\brequire\(|new Function|\beval\(/.test(code))
    throw new Error("the compiled validators need something that the page does not have");
  const table = Object.keys(exported).map((key) => `  ${JSON.stringify(key)}: ${variable(key)},`);
  return `${code}\nexport const validators = {\n${table.join("\n")}\n};\n`;
}
