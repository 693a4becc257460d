// A reporter for `node --test`, beside another: where everything is required, a test that is skipped has failed.
export default async function* noskips(events) {
  for await (const { type, data } of events) {
    if (!process.env.REQUIRE_ALL || type !== "test:pass" || !data.skip) continue;
    process.exitCode = 1;
    yield `FAIL  ${data.name}: skipped (${data.skip}), and REQUIRE_ALL is set\n`;
  }
}
