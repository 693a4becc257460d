import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { explain } from "./explain.js";
import { base, keywords, schemas } from "./index.js";
import { fieldName, say } from "./words.js";

/** Says that a value does not fit its schema. */
export class InvalidError extends Error {
  constructor(schema, problems) {
    super(`not a valid ${schema.replace(/\.json$/, "")}: ${problems.map((problem) => problem.message).join("; ")}`);
    this.name = "InvalidError";
    this.schema = schema;
    this.problems = problems;
  }
}

const pointerTo = (value, fragment) => fragment.split("/").slice(1).reduce((at, token) => at[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")], value);

/** Checks values against the schemas, and says of those that do not fit what is wrong and what to do. */
export class Validator {
  #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  #single = new WeakMap(); // of a schema object: a validator for each of its keywords
  #names = new Map();

  constructor() {
    addFormats.default ? addFormats.default(this.#ajv) : addFormats(this.#ajv);
    this.#ajv.addVocabulary([...keywords]);
    for (const [file, schema] of Object.entries(schemas)) {
      this.#ajv.addSchema(schema);
      for (const name of [file, file.replace(/\.json$/, ""), schema["x-export"]?.kind]) this.#names.set(name, file);
    }
  }

  /** The faults of a value, sorted; empty when it fits. */
  problems(name, value) {
    const file = this.#file(name);
    const validate = this.#ajv.getSchema(base + file);
    if (validate(value)) return [];
    const problems = explain({ file, schema: schemas[file] }, value, { resolve: this.#resolve, holds: this.#holds });
    if (problems.length > 0) return problems;
    const [{ instancePath: pointer, keyword, message: reason }] = validate.errors; // of a keyword that has no words of ours
    return [{ pointer, keyword, message: say("must", { subject: fieldName(pointer), want: say("other", { keyword, reason }) }) }];
  }

  /** Throws an InvalidError unless the value fits. */
  validate(name, value) {
    const problems = this.problems(name, value);
    if (problems.length > 0) throw new InvalidError(this.#file(name), problems);
  }

  #file(name) {
    const file = this.#names.get(name);
    if (file === undefined) throw new RangeError(`there is no schema ${JSON.stringify(name)}: name an export, such as userbase, or a schema file, such as legacy/userbase.row`);
    return file;
  }

  #resolve = (from, reference) => {
    const address = new URL(reference, base + from);
    const file = address.href.slice(base.length).split("#")[0];
    return { file, schema: pointerTo(schemas[file], address.hash) };
  };

  #holds = (schema, keyword, value) => {
    if (!this.#single.has(schema)) this.#single.set(schema, {});
    const validators = this.#single.get(schema);
    validators[keyword] ??= this.#ajv.compile({ [keyword]: schema[keyword] });
    return validators[keyword](value);
  };
}
