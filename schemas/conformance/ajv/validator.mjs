// Ajv over the schema files, as strict as it can be.

import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import { base, readSchemas, vocabularyKeywords } from "../../npm/files.mjs";

export { base };

// A validator that knows every schema file, those of an overlay directory included.
export function openSchemas(overlay) {
  const schemas = readSchemas(overlay);
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addVocabulary(vocabularyKeywords(schemas));
  for (const schema of schemas.values()) ajv.addSchema(schema);
  return {
    schemas,
    validator: (name) => ajv.getSchema(base + name),
  };
}

const escape = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

// An error of Ajv as the pointer and keyword that our samples name.
export function problemOf(error) {
  const { instancePath, keyword, params } = error;
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return { pointer: `${instancePath}/${escape(params.missingProperty)}`, keyword };
    case "additionalProperties":
      return { pointer: `${instancePath}/${escape(params.additionalProperty)}`, keyword };
    case "false schema":
      return { pointer: instancePath, keyword: "false" };
    default:
      return { pointer: instancePath, keyword };
  }
}
