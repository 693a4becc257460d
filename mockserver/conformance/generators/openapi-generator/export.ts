// A client that openapi-generator made asks for the userbase, looks it up until it is finished, and downloads its file.
import { Configuration } from "./typescript/runtime";
import { LegacyExportsApi } from "./typescript/apis/LegacyExportsApi";

async function main(): Promise<void> {
  const exports = new LegacyExportsApi(new Configuration({ basePath: process.env.MOCK, apiKey: "rest_demo" }));
  const created = await exports.userbaseCreate({ apiKey: "live_demo", legacyUserbaseRequest: { ids: ["custom_id"] } });
  for (;;) {
    const record = await exports.legacyStatus({ apiKey: "live_demo", requestId: created.requestId });
    if (record.status === "ERROR") throw new Error(record.errorMsg);
    if (record.status === "SUCCESS" && record.fileUrl !== undefined) {
      const text = await (await fetch(record.fileUrl)).text();
      console.log("userbase, by openapi-generator in TypeScript:", text.trimEnd().split("\n").length, "lines");
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

void main();
