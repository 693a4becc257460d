// What a team registers, and what its test says, whatever runs it.
export function registerOurActions(actions) {
  actions.register("share", async ({ arguments: { link }, perform }) => (await perform("service.clipboard", { t: link })).status);
}

export async function testShare({ createTestActions }, equal) {
  const { actions, effects } = createTestActions();
  registerOurActions(actions);
  const { status, value } = await actions.trigger("Share", { link: "https://example.com" }, { kind: "push" });
  equal([status, value, effects], ["performed", "performed", [{ host: "clipboard.write", text: "https://example.com" }]]);
}
