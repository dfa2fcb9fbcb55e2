/** The parts of the service's OpenAPI document that the MCP server uses. */
export interface ServedDocument {
  info: { version: string; description: string };
  paths: Record<string, Record<string, ServedOperation>>;
  components: Record<string, Record<string, object>>;
}

export interface ServedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  "x-required-scope"?: string;
  parameters?: (ServedParameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, object> }>;
}

export interface ServedParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: object;
}

/** Resolves all references in a part of the document. */
export function inlineReferences(document: ServedDocument, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => inlineReferences(document, item));
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part) {
    const [, , kind = "", name = ""] = String(part.$ref).split("/");
    return inlineReferences(document, document.components[kind]?.[name]);
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, inlineReferences(document, value)]),
  );
}
