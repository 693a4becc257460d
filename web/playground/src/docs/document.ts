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
  const paths = Object.entries(document.paths).map(([path, { head: _, ...item }]) => [path, item]);
  const credentials = Object.entries(document.components.securitySchemes).map(([name, scheme]) => {
    const value = scheme["x-default"] ?? "";
    return [name, scheme.type === "http" ? { token: value } : { value }];
  });
  return { content: { ...document, paths: Object.fromEntries(paths) }, credentials: Object.fromEntries(credentials) };
}
