// The page of the API document: a viewer that shows it and sends requests to the server that the page came from.

import "./docs.css";
// The build of the viewer that has everything in one file, which viewer/fetch.mjs takes from its package. As modules it would come in two
// hundred, some shared with the other page.
import viewer from "../../../../build/viewer/viewer.js?url";

interface ApiDocument {
  components: { securitySchemes: Record<string, { type: string; "x-default"?: string }> };
}

declare const Scalar: { createApiReference(target: string, configuration: object): unknown };

const loaded = new Promise((resolve, reject) => {
  document.head.append(Object.assign(document.createElement("script"), { src: viewer, onload: resolve, onerror: reject }));
});

const answer = await fetch("./openapi/full.json");
if (!answer.ok) throw new Error(`openapi/full.json was answered with ${answer.status}`);
const content = (await answer.json()) as ApiDocument;
// The demo credentials are filled in.
const credentials = Object.entries(content.components.securitySchemes).map(([name, { type, "x-default": value = "" }]): [string, object] => [name, type === "http" ? { token: value } : { value }]);

await loaded;
Scalar.createApiReference("#viewer", {
  content,
  servers: [{ url: new URL("./", location.href).href.replace(/\/$/, ""), description: "This server." }],
  authentication: { securitySchemes: Object.fromEntries(credentials) },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "none", // there is a link to it
  theme: "none",
  defaultOpenFirstTag: true,
  // What is tried out here is in the journal, and no lint is about it.
  onRequestBuilt: ({ request }: { request: Request }) => request.headers.set("X-Mock-Lint", "off"),
  // Nothing from elsewhere, nothing sent elsewhere.
  withDefaultFonts: false,
  proxyUrl: "",
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
});
