// The same for what requires: see share.mjs.
const { createTestActions } = require("@rehearsal/actions/testing");

test("share copies the link", async () => {
  const { actions, effects } = createTestActions();
  actions.register("share", async ({ arguments: { link }, perform }) => (await perform("service.clipboard", { t: link })).status);
  const { status, value } = await actions.trigger("Share", { link: "https://example.com" }, { kind: "push" });
  expect([status, value, effects]).toEqual(["performed", "performed", [{ host: "clipboard.write", text: "https://example.com" }]]);
});
