// A server whose interfaces speak otherwise than the specification does: the page, which knows nothing of it when it is built, makes an
// export of each, and shows its states and rows.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/server.mjs";
import { onPage } from "./support/stage.mjs";

const compose = (page) => page.locator(".compose");

async function makes(page, kind, done) {
  const requests = [];
  page.on("request", (request) => requests.push({ method: request.method(), path: new URL(request.url()).pathname, headers: request.headers() }));
  await page.locator("#kind").selectOption(kind);
  const fold = page.locator(".scenario");
  if (!(await fold.evaluate((element) => element.open))) await fold.locator("> summary").click();
  await page.getByLabel(/X-Mock-Scenario/).fill("progress=now");
  await page.getByRole("button", { name: "Send the request" }).click();
  await page.locator(".states .now", { hasText: done }).waitFor();
  await page.locator(".grid tbody tr").first().waitFor();
  return requests.find(({ method, path }) => method === "POST" && !path.startsWith("/_mock/"));
}

onPage(
  "interfaces that speak another dialect",
  (given) => {
    test("are asked for a CSV file", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      const { path, headers } = await makes(page, "userbase", "COMPLETED");
      assert.match(path, /^\/v1\//);
      assert.match(headers["x-api-secret"], /^Key /);
    });

    test("are asked for a JSON file of one object a line", async () => {
      const page = await given.open({ hash: "#exports", ready: false });
      const { path, headers } = await makes(page, "profiles.attributes", "READY");
      assert.match(path, /^\/v3\//);
      assert.match(headers["x-access-token"], /^Token /);
    });
  },
  ["--schemas", join(root, "mockserver/e2e/testdata/dialect")],
);
