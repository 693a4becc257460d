// The API document as the viewer takes it.

interface SecurityScheme {
  type: string;
  "x-default"?: string;
}

export interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes: Record<string, SecurityScheme> };
}

/** Leaves out the HEAD of every GET, and takes the demo credentials out of the document, to fill them in. */
export function prepared(document: ApiDocument) {
  const paths: ApiDocument["paths"] = {};
  for (const [path, { head: _, ...item }] of Object.entries(document.paths)) {
    paths[path] = item;
  }
  const credentials: Record<string, { token: string } | { value: string }> = {};
  for (const [name, scheme] of Object.entries(document.components.securitySchemes)) {
    const value = scheme["x-default"] ?? "";
    credentials[name] = scheme.type === "http" ? { token: value } : { value };
  }
  return { content: { ...document, paths }, credentials };
}
