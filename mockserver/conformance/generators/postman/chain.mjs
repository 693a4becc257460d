// Chains the requests of a collection for Postman that was made from the API document: what one answers, such as the identifier
// of an export, others take; an export is looked up until it is finished; and no request may be refused.
//
//	node chain.mjs collection.json
import { readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const collection = JSON.parse(readFileSync(file, "utf8"));

// What the parameters of each request are, by the end of its path.
const taken = {
  ":request_id": { request_id: "{{request_id}}" },
  view: { id: "{{export_id}}" },
  download: { id: "{{file_id}}" },
  ":name": { name: "{{name}}", expires: "{{expires}}", nonce: "{{nonce}}", signature: "{{signature}}" },
};

// These run in Postman, before and after each request.
const before = `
// A collection has one credential a folder, and the profile exports ask for two.
if (pm.request.url.getPath().startsWith("/2.7/")) pm.request.headers.upsert({ key: "X-Service-Project", value: pm.variables.get("project") });
`;
const after = `
pm.test("is not refused", () => pm.expect(pm.response.code).to.be.below(400));
const json = (pm.response.headers.get("Content-Type") ?? "").startsWith("application/json") ? pm.response.json() : {};
if (json.status === "ERROR") pm.test("does not fail", () => pm.expect.fail(JSON.stringify(json)));
if (json.status === "CREATED" || json.status === "PENDING") pm.execution.setNextRequest(pm.info.requestName);
if (json.requestId) pm.collectionVariables.set("request_id", json.requestId);
if (pm.response.code === 202 && json.id) pm.collectionVariables.set("export_id", json.id);
if (json.status === "SUCCESS" && json.files) pm.collectionVariables.set("file_id", json.files[0].id);
if (json.file_url) {
  const [path, query] = json.file_url.split("?");
  pm.collectionVariables.set("name", path.split("/").pop());
  for (const pair of query.split("&")) {
    const [name, value] = pair.split("=");
    pm.collectionVariables.set(name, decodeURIComponent(value));
  }
}
`;

const script = (listen, text) => ({ listen, script: { type: "text/javascript", exec: text.trim().split("\n") } });
collection.event = [script("prerequest", before), script("test", after)];

function chain(item) {
  if (item.item) {
    item.item.forEach(chain);
    // A file is downloaded after the lookup that names it.
    item.item.sort((a, b) => isDownload(a) - isDownload(b));
    return;
  }
  const { url } = item.request;
  const values = taken[url.path.at(-1)] ?? {};
  for (const parameter of [...(url.variable ?? []), ...(url.query ?? [])]) {
    if (parameter.key in values) parameter.value = values[parameter.key];
  }
}
const isDownload = (item) => item.request?.url.path.at(-1) === "download";

chain(collection);
writeFileSync(file, JSON.stringify(collection, null, 2));
