// What an application writes, as its bundler and its compiler see it.
import { ActionsError, browserHost, loadActions, type Actions, type Handler, type Host, type Result } from "@rehearsal/actions";

const sayHello: Handler = async ({ identifier, arguments: args, source, perform }) => {
  void perform;
  return `${identifier} ${args.name} (${source.kind})`;
};

const host: Host = { ...browserHost(), settings: { open: (page) => console.log(page) } };

async function main(): Promise<string> {
  const actions: Actions = await loadActions({ host, allowedLinks: ["https://example.com"] });
  const registration = actions.register("Say-Hello", sayHello);
  actions.on("performed", ({ identifier, result }) => console.log(identifier, result.status));
  actions.start();
  const result: Result = await actions.perform("say-hello", { name: "Ada", big: 2n ** 60n, list: [1, null, { a: true }] });
  const { ok, problems } = actions.validate("service.clipboard", { t: 5 });
  try {
    actions.register("service.mine", () => {});
  } catch (error) {
    if (error instanceof ActionsError) console.log(error.code);
  }
  // @ts-expect-error: a function cannot be an argument
  await actions.perform("say-hello", { f() {} });
  return [result.status, result.value, ok, problems[0]?.pointer, registration.unregister()].join(" ");
}

main().then(
  (text) => (document.title = text),
  (error: unknown) => (document.title = String(error)),
);
