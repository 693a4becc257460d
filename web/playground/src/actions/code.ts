// A call as code: a program in each language that has the actions, and for others one that checks the call, as a back end would
// that writes payloads. test/code.test.mjs runs them; mobile/page_test.go compiles what is for apps.

import type { Source } from "../core/adapter";
import { write } from "../core/json";
import { curl, python, type Language, type Prepared } from "../core/request";

/** A call, and the handler of an action of the person's own. */
export interface CallToWrite {
  identifier: string;
  arguments: unknown;
  source: Source | undefined;
  handler: string | undefined;
}

// The text of JSON has no control characters, so quotes and backslashes are all there is to escape; Kotlin has templates as well.
const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const inJson = (value: unknown): string => quoted(write(value, 0));

function javascript({ identifier, arguments: args, source, handler }: CallToWrite): string {
  const name = JSON.stringify(identifier);
  const register = handler === undefined ? "" : `actions.register(${name}, ${handler.replace(/[;\s]+$/, "")});\n`;
  const call = source ? `trigger(${name}, ${write(args)}, ${write(source)})` : `perform(${name}, ${write(args)})`;
  return `import { loadActions } from "@rehearsal/actions";

const actions = await loadActions();
${register}actions.start();
console.log(await actions.${call});`;
}

/** How a language writes the values of JSON. */
interface Literals {
  text(value: string): string;
  integer(value: bigint): string;
  none: string;
  list(items: string[]): string;
  map(members: string[]): string;
  member(name: string, value: string): string;
}

function literal(value: unknown, as: Literals): string {
  if (value === null || value === undefined) return as.none;
  if (typeof value === "string") return as.text(value);
  if (typeof value === "bigint") return as.integer(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? as.integer(BigInt(value)) : numberOf(value);
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return as.list(value.map((item) => literal(item, as)));
  return as.map(Object.entries(value).map(([name, member]) => as.member(as.text(name), literal(member, as))));
}

const numberOf = (value: number): string => (/[.e]/.test(String(value)) ? String(value) : `${value}.0`);
const withinLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
const withinInt = (value: bigint): boolean => BigInt.asIntN(32, value) === value;

// Escapes that are the same in JSON and in the language; \b and \f are left to the form with four digits.
const escaped = (value: string, dollar = "$"): string =>
  JSON.stringify(value).replaceAll(/\\[\\"bf]|\$/g, (found) => ({ "\\b": "\\u0008", "\\f": "\\u000c", $: dollar })[found] ?? found);

const inGo: Literals = {
  text: (value) => JSON.stringify(value).replaceAll("\u007f", "\\u007f"),
  integer: (value) => (withinLong(value) ? String(value) : `uint64(${value})`),
  none: "nil",
  list: (items) => `[]any{${items.join(", ")}}`,
  map: (members) => `map[string]any{${members.join(", ")}}`,
  member: (name, value) => `${name}: ${value}`,
};

const inKotlin: Literals = {
  text: (value) => escaped(value, "\\$"),
  integer: (value) => (withinInt(value) ? String(value) : withinLong(value) ? `${value}L` : `${value}UL`),
  none: "null",
  list: (items) => (items.length > 0 ? `listOf(${items.join(", ")})` : "emptyList<Any?>()"),
  map: (members) => (members.length > 0 ? `mapOf(${members.join(", ")})` : "emptyMap<String, Any?>()"),
  member: (name, value) => `${name} to ${value}`,
};

function go({ identifier, arguments: args, source, handler }: CallToWrite): string {
  const name = inGo.text(identifier);
  const register =
    handler === undefined
      ? ""
      : `	registry.Register(${name}, func(invocation actions.Invocation) (any, error) {
		return "hello from " + invocation.Identifier(), nil
	})
`;
  const cause = source && `actions.Source{Kind: ${inGo.text(source.kind)}${source.payload ? `, Payload: ${literal(source.payload, inGo)}` : ""}}`;
  const call = cause ? `Trigger(${name}, ${literal(args, inGo)}, ${cause}).Wait()` : `Perform(${name}, ${literal(args, inGo)})`;
  return `package main

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

func main() {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0") // what actions act on; this one records
	registry := actions.New(actions.Options{Host: host.Capabilities()})
${register}	registry.Start()
	result := registry.${call}
	fmt.Println(result.Status, result.Value, result.Message)
}`;
}

function java({ identifier, arguments: args, source, handler }: CallToWrite): string {
  const name = escaped(identifier);
  const register =
    handler === undefined
      ? ""
      : `        registry.register(${name}, invocation ->
                invocation.setValue(Actions.stringValue("hello from " + invocation.identifier())));
`;
  const given = `Actions.argumentsFromJSON(${inJson(args)})`;
  const payload = source?.payload ? `Actions.argumentsFromJSON(${inJson(source.payload)})` : "null";
  const call = source
    ? `trigger(${name}, ${given}, new Source(${escaped(source.kind)}, ${payload}))`
    : `perform(${name}, ${given})`;
  return `import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;${source ? "\nimport io.github.rehearsalsdk.actions.Source;" : ""}

public class Call {
    public static Result run(Registry registry) throws Exception {
${register}        registry.start();
        return registry.${call}.result(); // null while it goes on
    }
}`;
}

function kotlin({ identifier, arguments: args, source, handler }: CallToWrite): string {
  const name = escaped(identifier, "\\$");
  const register = handler === undefined ? "" : `    actions.register(${name}) { "hello from $identifier" }\n`;
  const cause = source && `ActionSource(${[escaped(source.kind, "\\$"), ...(source.payload ? [literal(source.payload, inKotlin)] : [])].join(", ")})`;
  const call = cause ? `trigger(${name}, ${literal(args, inKotlin)}, ${cause}).await()` : `perform(${name}, ${literal(args, inKotlin)})`;
  return `import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult${source ? "\nimport io.github.rehearsalsdk.ktx.ActionSource" : ""}

suspend fun run(actions: ActionRegistry): ActionResult {
${register}    actions.start()
    return actions.${call}
}`;
}

const inSwift = (text: string): string => JSON.stringify(text).replaceAll(/\\[\\"bf]|\\u(....)/g, (found, digits?: string) =>
  digits ? `\\u{${digits}}` : ({ "\\b": "\\u{8}", "\\f": "\\u{c}" }[found] ?? found));

function swift({ identifier, arguments: args, source, handler }: CallToWrite): string {
  const name = inSwift(identifier);
  const own =
    handler === undefined
      ? ""
      : `final class OwnAction: NSObject, RHActionsActionProtocol {
    func perform(_ invocation: RHActionsInvocation?) throws {
        invocation?.setValue(RHActionsStringValue("hello from \\(invocation?.identifier() ?? "")"))
    }
}

`;
  const given = `RHActionsArgumentsFromJSON(${inJson(args)}, nil)`;
  const payload = source?.payload ? `RHActionsArgumentsFromJSON(${inJson(source.payload)}, nil)` : "nil";
  const call = source
    ? `trigger(${name}, arguments: ${given}, source: RHActionsSource(${inSwift(source.kind)}, payload: ${payload}))`
    : `perform(${name}, arguments: ${given})`;
  return `import Rehearsal

${own}func run(_ registry: RHActionsRegistry) throws -> RHActionsResult? {
${handler === undefined ? "" : `    _ = try registry.register(${name}, action: OwnAction())\n`}    registry.start()
    return registry.${call}?.result() // nil while it goes on
}`;
}

/** The request that has the server check a call by the schemas. */
const checked = ({ identifier, arguments: args, source }: CallToWrite): Prepared => ({
  method: "POST",
  path: "/_mock/validate?schema=actions/call",
  headers: [["Content-Type", "application/json"]],
  body: write({ identifier, arguments: args, ...(source && { source }) }, 0),
});

/** The ways to write a call. What only checks it says so. */
export const languages: readonly Language<CallToWrite>[] = [
  { name: "javascript", title: "JavaScript", write: javascript },
  { name: "kotlin", title: "Kotlin", write: kotlin },
  { name: "swift", title: "Swift", write: swift },
  { name: "java", title: "Java", write: java },
  { name: "go", title: "Go", write: go },
  { name: "curl", title: "curl", write: (call, base) => `# Checks the call, as whatever sends it would.\n${curl(checked(call), base)}` },
  { name: "python", title: "Python", write: (call, base) => `# Checks the call, as whatever sends it would.\n${python(checked(call), base)}` },
];
