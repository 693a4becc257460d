import { equal, lacking, parse, show } from "./json.js";

/**
 * Runs the cases of one vector file and gives what is wrong: [{about, problems}]. `variant` is how: "plain", "outside" (handlers
 * perform through the registry instead of the invocation), "slow" (the host answers by promises), "watched" (with listeners) or "early"
 * (what is registered first is registered before the program is there). `make` makes a registry, and `hostOf` the host that a vector describes,
 * with what is done to it: {host, effects}.
 */
export async function runVectors(make, hostOf, text, variant) {
  const cases = [];
  for (const vector of parse(text)) {
    cases.push({ about: vector.about, problems: await runVector(make, hostOf, vector, variant) });
  }
  return cases;
}

/** What makes the host of a vector out of the package's own for tests: a permission keeps its value, whatever is asked. */
export const hostOf =
  (createTestHost) =>
  ({ without, refuse = {}, notifications = "not_determined", tracking = "not_determined", interceptor }) => {
    const intercept = interceptor && (() => interceptor === "handled");
    const made = createTestHost({ without, permissions: { notifications, tracking }, intercept });
    made.answer("notifications", notifications);
    made.answer("tracking", tracking);
    for (const [capability, code] of Object.entries(refuse)) made.refuse(capability, code);
    return made;
  };

async function runVector(make, hostOf, vector, variant) {
  const spec = vector.host ?? {};
  const problems = [];
  const { host, effects } = hostOf(spec);
  const registry = make({
    host: variant === "slow" ? later(host) : host,
    platform: spec.platform ?? "ios",
    ...(spec.version !== undefined && { version: spec.version }),
  });
  if (variant === "watched") {
    registry.on("performing", () => {});
    registry.on("performed", () => {});
  }
  const run = new Run(registry, effects, variant);
  let started = false;
  let held = [];
  for (const [i, step] of vector.steps.entries()) {
    const does = verbs.find((verb) => verb in step);
    if (variant === "early" && !noted.includes(does)) await registry.load();
    const answer = run.do(does, step);
    const look = async () => {
      const found = await answer;
      const difference = step.expect ? lacking(prepared(does, step.expect), prepared(does, found)) : "";
      if (difference) problems.push(`step ${i} (${does} ${show(step[does])}): ${difference}; the answer is ${show(found)}`);
    };
    if (does === "trigger" && !started) {
      held.push([look, step.expect]);
      continue;
    }
    await look();
    if (does === "start") {
      started = true;
      for (const [look] of held) await look();
      held = [];
    }
  }
  for (const [look, expect] of held) if (expect) await look();
  while (run.turns > 0) await new Promise((resolve) => setTimeout(resolve));
  if (vector.effects) problems.push(...differentEffects(vector.effects, effects));
  registry.dispose();
  return problems;
}

const verbs = ["register", "unregister", "dispose", "perform", "trigger", "start", "validate", "capability", "list"];

/** What is done before the program is there. */
const noted = ["register", "unregister", "dispose", "list"];

function prepared(does, answer) {
  return does === "validate" && answer.at ? { ...answer, at: [...answer.at].sort() } : answer;
}

class Run {
  registrations = {};
  /** How many things are left for a later turn. */
  turns = 0;

  constructor(registry, effects, variant) {
    Object.assign(this, { registry, effects, variant });
  }

  do(does, step) {
    const { registry } = this;
    const subject = step[does];
    try {
      switch (does) {
        case "register":
          this.registrations[step.as ?? ""] = registry.register(subject, this.handler(step.handler ?? ""));
          return { ok: true };
        case "unregister":
          return { removed: registry.unregister(subject) };
        case "dispose":
          return { removed: this.registrations[subject].unregister() };
        case "perform":
          return registry.perform(subject, step.arguments);
        case "trigger":
          return registry.trigger(subject, step.arguments, typeof step.source === "string" ? { kind: step.source } : step.source);
        case "start":
          registry.start();
          return { ok: true };
        case "validate": {
          const { ok, problems } = registry.validate(subject, step.arguments);
          return { ok, at: problems.map((problem) => problem.pointer) };
        }
        case "capability":
          return registry.capability(subject);
        case "list":
          return { identifiers: registry.list() };
      }
    } catch (error) {
      return { ok: false, removed: false, error: error.code ?? String(error) };
    }
  }

  handler(name) {
    const record = ({ identifier, arguments: args, source }) => {
      this.effects.push({ handler: identifier, arguments: args, source: sourceForm(source) });
    };
    switch (name) {
      case "record":
        return record;
      case "fail":
        return () => {
          throw new Error("failed on purpose");
        };
      case "panic":
        return () => {
          throw null;
        };
      case "wait":
        return () => this.later(() => {});
      case "wait-record":
        return (invocation) => this.later(() => record(invocation));
    }
    if (!name.startsWith("perform:")) return undefined;
    const other = name.slice("perform:".length);
    return async (invocation) => {
      const by = this.variant === "outside" ? this.registry : invocation;
      const { status } = await by.perform(other, invocation.arguments);
      if (status !== "performed") throw new Error(`${other} is ${status}`);
    };
  }

  later(something) {
    this.turns++;
    return new Promise((resolve) => {
      setTimeout(() => {
        something();
        this.turns--;
        resolve();
      });
    });
  }
}

/** Gives a source one form: the manual one is "manual", a payload that is null is none. */
function sourceForm(source) {
  if (typeof source === "string") return source;
  if (source.payload !== undefined && source.payload !== null) return { kind: source.kind, payload: source.payload };
  return source.kind === "manual" ? "manual" : { kind: source.kind };
}

function differentEffects(expected, found) {
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    if (i >= found.length) return [`effect ${i} is missing: ${show(expected[i])}`];
    if (i >= expected.length) return [`effect ${i} should not be: ${show(found[i])}`];
    for (const [name, value] of Object.entries(expected[i])) {
      const [want, got] = name === "source" ? [sourceForm(value), found[i].source] : [value, found[i][name]];
      if (!equal(want, got)) return [`effect ${i}: ${name}: expected ${show(want)}, found ${show(got)} in ${show(found[i])}`];
    }
  }
  return [];
}

/** The same host, answering by promises: but for the state of a permission, which `capability` does not wait for. */
function later(host) {
  const slow = (method) => async (...details) => {
    await null;
    return method(...details);
  };
  return Object.fromEntries(
    Object.entries(host).map(([name, capability]) => [
      name,
      Object.fromEntries(Object.entries(capability).map(([method, code]) => [method, method === "status" ? code : slow(code)])),
    ]),
  );
}
