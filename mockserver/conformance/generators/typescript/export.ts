// A client with types that openapi-typescript generated asks for an export of each interface, looks it up until it is
// finished, and downloads its file.
import { setTimeout as sleep } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./client.d.ts";

const pause = 100; // milliseconds; a service in production is asked every minute
const baseUrl = process.env.MOCK;
if (baseUrl === undefined) throw new Error("MOCK is not set: it is the address of the server");

type Profile = components["schemas"]["ProfilesAttributesOutputItem"];

async function download(link: string): Promise<Response> {
  // The link is a credential of its own, and gets no other.
  const answer = await fetch(link);
  if (!answer.ok) throw new Error(`the file was answered with ${answer.status}`);
  return answer;
}

async function legacy(): Promise<void> {
  const client = createClient<paths>({ baseUrl, headers: { "X-Authorization": "rest_demo" } });
  const created = await client.POST("/1.0/{api_key}/export/userbase", {
    params: { path: { api_key: "live_demo" } },
    body: { ids: ["custom_id"] },
  });
  if (created.error) throw new Error(created.error.message);
  for (;;) {
    const found = await client.GET("/1.0/{api_key}/export/request/{request_id}", {
      params: { path: { api_key: "live_demo", request_id: created.data.requestId } },
    });
    if (found.error) throw new Error(found.error.message);
    const { status, file_url, error_msg } = found.data;
    if (status === "ERROR") throw new Error(error_msg);
    if (status === "SUCCESS" && file_url !== undefined) {
      const text = await (await download(file_url)).text();
      console.log("userbase:", text.trimEnd().split("\n").length, "lines");
      return;
    }
    await sleep(pause);
  }
}

async function profiles(): Promise<void> {
  // The link that a file redirects to is asked for without the token, so redirects are not followed here.
  const headers = { Authorization: "Bearer token_demo", "X-Service-Project": "project_demo" };
  const client = createClient<paths>({ baseUrl, headers, redirect: "manual" });
  const created = await client.POST("/2.7/profiles/export", {
    body: { export_type: "ATTRIBUTES", attributes: ["$email_address", "$language"] },
  });
  if (created.error) throw new Error(created.error.error_message);
  for (;;) {
    const found = await client.GET("/2.7/exports/view", { params: { query: { id: created.data.id } } });
    if (found.error) throw new Error(found.error.error_message);
    const { status, files, error_message } = found.data;
    if (status === "ERROR") throw new Error(error_message);
    if (status === "SUCCESS" && files !== undefined) {
      let total = 0;
      for (const file of files) {
        const redirect = await client.GET("/2.7/exports/download", { params: { query: { id: file.id } } });
        const link = redirect.response.headers.get("Location");
        if (link === null) throw new Error(`the download was answered with ${redirect.response.status}`);
        const part = (await (await download(link)).json()) as Profile[];
        total += part.length;
      }
      console.log("profiles:", total);
      return;
    }
    await sleep(pause);
  }
}

await legacy();
await profiles();
