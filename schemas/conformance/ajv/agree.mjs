// Compiles every schema file with Ajv in strict mode and holds every sample against it. Exit status 1 when
// Ajv disagrees with a sample.

import { readSamples } from "../../npm/files.mjs";
import { openSchemas, problemOf } from "./validator.mjs";

const { schemas, validator } = openSchemas();
const complaints = [];
for (const name of schemas.keys()) {
  if (!validator(name)) complaints.push(`${name} does not compile`);
}
const valid = readSamples("valid");
for (const { file, schema, value } of valid) {
  const validate = validator(schema);
  if (!validate(value)) complaints.push(`valid/${file} is refused: ${JSON.stringify(validate.errors)}`);
}
const invalid = readSamples("invalid");
for (const { file, schema, value, problem } of invalid) {
  const validate = validator(schema);
  if (validate(value)) {
    complaints.push(`invalid/${file} is accepted`);
    continue;
  }
  const found = validate.errors.map(problemOf);
  if (!found.some(({ pointer, keyword }) => pointer === problem.pointer && keyword === problem.keyword)) {
    complaints.push(`invalid/${file}: want ${JSON.stringify(problem)}, found ${JSON.stringify(found)}`);
  }
}
for (const complaint of complaints) console.error(`ajv: ${complaint}`);
console.log(`ajv: ${schemas.size} schemas, ${valid.length} valid and ${invalid.length} invalid samples, ${complaints.length} disagreements`);
process.exit(complaints.length > 0 ? 1 : 0);
