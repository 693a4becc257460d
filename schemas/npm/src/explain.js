// Says why a value does not fit its schema, in the few faults that a person would name. Whether a keyword holds is asked of the
// validator; here is only the way through the schema, and what is said on it. The Go package of the repository does the same.

import * as words from "./words.js";
import { escape, isObject, say } from "./words.js";

const leaves = [
  "const", "enum", "format", "minProperties", "maxProperties", "required", "dependentRequired", "minItems", "maxItems", "uniqueItems",
  "minLength", "maxLength", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
];
const always = { text: "", weak: false };

function messageOf(fault) {
  const want = fault.allowed.length > 0 ? words.listValues(fault.allowed) : fault.want;
  const sentence = { required: "missing", dependentRequired: "missing", additionalProperties: "unknown" }[fault.keyword] ?? "must";
  const found = fault.found ? say("found", { found: fault.found }) : "";
  return say(sentence, { subject: fault.subject, want }) + fault.condition + found + fault.hint;
}

/**
 * All faults of a value, as problems in their order. schemas resolves a reference from a file: {file, schema}; holds asks whether one
 * keyword of a schema holds for a value.
 */
export function explain(root, value, { resolve, holds }) {
  // What one schema says of the value at a pointer.
  function walk(file, schema, at, value, when) {
    const fault = (keyword, more) => ({
      pointer: at, keyword, subject: words.fieldName(at), want: "", found: words.describe(value), allowed: [], hint: "",
      condition: when.text, weak: when.weak, ...more,
    });
    const missing = (keyword, name, want) => {
      const pointer = `${at}/${escape(name)}`;
      return fault(keyword, { pointer, subject: words.fieldName(pointer), want, found: "" });
    };
    if (schema === true) return [];
    if (schema === false) return [fault("false", { want: say("false"), found: "" })];
    if ("type" in schema && !holds(schema, "type", value)) {
      const allowed = [schema.type].flat().map((name) => new words.Word(say(`type ${name}`)));
      return [fault("type", { allowed, found: words.describeKind(value) })];
    }

    const faults = [];
    for (const keyword of leaves) {
      if (!(keyword in schema) || holds(schema, keyword, value)) continue;
      if (keyword === "required") {
        for (const name of schema.required) if (!Object.hasOwn(value, name)) faults.push(missing(keyword, name, say(keyword)));
      } else if (keyword === "dependentRequired") {
        for (const [name, others] of Object.entries(schema.dependentRequired)) {
          if (!Object.hasOwn(value, name)) continue;
          for (const other of others) if (!Object.hasOwn(value, other)) faults.push(missing(keyword, other, say(keyword, { name })));
        }
      } else {
        faults.push(fault(keyword, wording(file, schema, keyword, value)));
      }
    }

    const below = (name, child, schema) => walk(file, schema, `${at}/${escape(name)}`, child, when);
    if (isObject(value)) {
      const known = Object.keys(schema.properties ?? {});
      const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, schema]) => [new RegExp(pattern, "u"), schema]);
      for (const [name, member] of Object.entries(value)) {
        let isKnown = known.includes(name);
        if (isKnown) faults.push(...below(name, member, schema.properties[name]));
        for (const [pattern, schema] of patterns) {
          if (!pattern.test(name)) continue;
          isKnown = true;
          faults.push(...below(name, member, schema));
        }
        if (isKnown || !("additionalProperties" in schema)) continue;
        if (schema.additionalProperties !== false) {
          faults.push(...below(name, member, schema.additionalProperties));
          continue;
        }
        const sentence = ["additionalProperties none", "additionalProperties one"][known.length] ?? "additionalProperties";
        const want = say(sentence, { names: known.join(", ") });
        faults.push({ ...missing("additionalProperties", name, want), hint: words.suggestion(name, known) });
      }
    } else if (Array.isArray(value)) {
      const first = schema.prefixItems ?? [];
      value.forEach((item, i) => {
        const items = i < first.length ? first[i] : schema.items;
        if (items !== undefined) faults.push(...below(String(i), item, items));
      });
    }

    const here = (schema, when) => walk(file, schema, at, value, when);
    if (schema.$ref) {
      const target = resolve(file, schema.$ref);
      faults.push(...walk(target.file, target.schema, at, value, always));
    }
    if ("not" in schema && here(schema.not, always).length === 0) {
      faults.push(fault("not", { want: say("not", { shape: shapeOf(schema.not, say("not known")) }) }));
    }
    for (const each of schema.allOf ?? []) faults.push(...here(each, when));
    for (const keyword of ["anyOf", "oneOf"]) {
      if (!(keyword in schema)) continue;
      const branches = schema[keyword].map((branch) => tidy(here(branch, when)));
      const fitting = branches.filter((branch) => branch.length === 0).length;
      if (fitting === 0) faults.push(...alternatives(keyword, at, branches));
      else if (keyword === "oneOf" && fitting > 1) faults.push(fault(keyword, { want: say("oneOf"), found: say("oneOf found") }));
    }
    if ("if" in schema) {
      const applies = here(schema.if, always).length === 0;
      if (applies && "then" in schema) faults.push(...here(schema.then, holding(schema.if, value)));
      if (!applies && "else" in schema) faults.push(...here(schema.else, failing(schema.if, value)));
    }
    return faults;
  }

  const problems = tidy(walk(root.file, root.schema, "", value, always)).map((fault) => ({
    pointer: fault.pointer, keyword: fault.keyword, message: messageOf(fault),
  }));
  return problems.sort((a, b) =>
    words.comparePointers(a.pointer, b.pointer) || words.compareText(a.keyword, b.keyword) || words.compareText(a.message, b.message));
}

// What a keyword with a value, a bound or a shape demands.
function wording(file, schema, keyword, value) {
  const limit = schema[keyword];
  switch (keyword) {
    case "const":
      return { allowed: [limit], hint: words.suggestion(value, [limit]) };
    case "enum":
      return { allowed: limit, hint: words.suggestion(value, limit) };
    case "pattern":
      return { want: shapeOf(schema, say(keyword, { pattern: limit })), hint: file === "common/dates.json" ? words.dateHint(value) : "" };
    case "format":
      return { want: shapeOf(schema, say(`format ${limit}`) || say("format", { format: limit })) };
    case "minLength":
      return { want: limit === 1 ? say("minLength one") : say(keyword, { limit: String(limit) }) };
    case "minItems":
    case "maxItems":
      return { want: say(keyword, { items: words.count(limit, "item") }), found: words.count(words.sizeOf(value), "item") };
    case "minProperties":
    case "maxProperties":
      return { want: say(keyword, { members: words.count(limit, "member") }), found: words.count(words.sizeOf(value), "member") };
    case "uniqueItems":
      return { want: say(keyword), found: say("uniqueItems found") };
    default:
      return { want: say(keyword, { limit: words.number(limit) }) };
  }
}

// The first sentence of a description, if it reads as a shape ("A UTC date and time as ..."); else the fallback.
function shapeOf(schema, fallback) {
  const sentence = (schema.description ?? "").split(". ")[0].replace(/\.$/, "");
  return /^An? /.test(sentence) ? sentence[0].toLowerCase() + sentence.slice(1) : fallback;
}

// A rule under then or else holds only under its if, and the message says so. These are the members that an if looks at.
function conditionTests(schema, pointer = "") {
  return Object.keys(schema.properties ?? {}).sort(words.compareText).flatMap((name) => {
    const property = schema.properties[name];
    const at = `${pointer}/${escape(name)}`;
    if (Object.keys(property.properties ?? {}).length > 0) return conditionTests(property, at);
    return [{ pointer: at, allowed: [Object.hasOwn(property, "const") ? [property.const] : [], property.enum ?? []].flat() }];
  });
}

const conditionOf = (sentence, parts) => (parts.length > 0 ? say(sentence, { condition: parts.join(" and ") }) : "");
const part = (pointer, value) => say("condition", { name: words.fieldName(pointer), value });

function holding(schema, value) {
  const parts = conditionTests(schema).flatMap(({ pointer }) => {
    const there = words.follow(value, pointer);
    return there ? [part(pointer, words.plain(there.value))] : [];
  });
  return { text: conditionOf("when", parts), weak: false };
}

function failing(schema, value) {
  const tests = conditionTests(schema);
  const parts = tests.filter(({ allowed }) => allowed.length > 0).map(({ pointer, allowed }) => part(pointer, words.listValues(allowed)));
  // The rule may not be meant at all when its condition could not be looked at.
  return { text: conditionOf("unless", parts), weak: tests.some(({ pointer }) => !words.follow(value, pointer)) };
}

// Drops what other faults already say, and sorts.
function tidy(faults) {
  const at = (keyword) => new Set(faults.filter((fault) => fault.keyword === keyword).map((fault) => fault.pointer));
  const [typed, patterned, strong] = [at("type"), at("pattern"), faults.some((fault) => !fault.weak)];
  const kept = new Map();
  for (const fault of faults) {
    if (typed.has(fault.pointer) && fault.keyword !== "type") continue;
    if (patterned.has(fault.pointer) && fault.keyword === "format") continue;
    if (strong && fault.weak) continue;
    // One fault of one kind at one place: the rule with the fewest choices is the one that bites.
    const key = `${fault.pointer}#${fault.keyword}`;
    if (!kept.has(key) || isLess(fault, kept.get(key))) kept.set(key, fault);
  }
  return [...kept.entries()].sort(([a], [b]) => words.compareText(a, b)).map(([, fault]) => fault);
}

function isLess(a, b) {
  if (a.allowed.length !== b.allowed.length) return a.allowed.length < b.allowed.length;
  const [left, right] = [messageOf(a), messageOf(b)];
  return (words.bytesOf(left) - words.bytesOf(right) || words.compareText(left, right)) < 0;
}

// Reduces the failed branches of anyOf or oneOf to what the value most likely meant.
function alternatives(keyword, pointer, branches) {
  const first = atLeastOne(pointer, branches);
  if (first) return first;
  // A branch for another type of value says nothing, unless all are.
  const sameType = branches.filter((branch) => !branch.some((fault) => fault.keyword === "type" && fault.pointer === pointer));
  const meant = sameType.length > 0 ? sameType : branches;
  const fewest = Math.min(...meant.map((branch) => branch.length));
  const nearest = meant.filter((branch) => branch.length === fewest);
  const merged = mergeAllowed(nearest);
  if (merged) return merged;
  const simple = nearest.every((branch) => branch.length === 1 && branch[0].pointer === pointer && branch[0].keyword !== "required");
  return simple ? [either(keyword, nearest)] : nearest[0];
}

// Recognises branches that only ask for different members: one of them is missing.
function atLeastOne(pointer, branches) {
  const isMember = (fault) => fault.keyword === "required" && fault.pointer.slice(0, fault.pointer.lastIndexOf("/")) === pointer;
  if (!branches.every((branch) => branch.every(isMember))) return undefined;
  const names = [...new Set(branches.map((branch) => branch.map((fault) => fault.subject).join(" and ")))].sort(words.compareText);
  if (names.length === 1) return branches[0];
  const subject = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return [{ ...branches[0][0], subject, want: say("required one") }];
}

// Joins branches that refuse the same places by lists of allowed values.
function mergeAllowed(branches) {
  const same = (branch) =>
    branch.length === branches[0].length &&
    branch.every((fault, i) => fault.pointer === branches[0][i].pointer && fault.keyword === branches[0][i].keyword && fault.allowed.length > 0);
  if (!branches.every(same)) return undefined;
  return branches[0].map((fault, i) => {
    const allowed = new Map();
    for (const value of branches.flatMap((branch) => branch[i].allowed)) {
      if (!allowed.has(words.plain(value))) allowed.set(words.plain(value), value);
    }
    return { ...fault, allowed: [...allowed.values()] };
  });
}

// Joins branches that each have one thing to say about the value itself.
function either(keyword, branches) {
  const wants = branches.map(([fault]) => (fault.allowed.length > 0 ? words.listValues(fault.allowed) : fault.want));
  const hint = branches.map(([fault]) => fault.hint).find(Boolean) ?? "";
  return { ...branches[0][0], keyword, allowed: [], want: wants.join(say("either")), hint };
}
