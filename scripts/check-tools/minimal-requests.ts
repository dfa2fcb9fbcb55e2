/** Derives the smallest valid bodies for each operation from the document, and invalid bodies that it must reject. */

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  example?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

interface Operation {
  operationId: string;
  parameters?: { in?: string; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, object>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface Request {
  operationId: string;
  path: string;
  method: string;
  pathValues: number;
  statuses: string[];
  taken: unknown[];
  refused: unknown[];
}

export const requestsOf = (document: OpenApiDocument): Request[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody, responses }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      const shapes = schema ? shapesOf(document, schema) : [];
      return {
        operationId,
        path,
        method,
        pathValues: path.split("{").length - 1,
        statuses: Object.keys(responses),
        taken: shapes.map((shape) => minimal(document, shape)),
        refused: shapes.flatMap((shape) => refusedOf(document, shape)),
      };
    }),
  );

const resolved = (document: OpenApiDocument, schema: JsonSchema): JsonSchema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;

function shapesOf(document: OpenApiDocument, given: JsonSchema): JsonSchema[] {
  const schema = resolved(document, given);
  return schema.oneOf ?? schema.anyOf ?? [schema];
}

function minimal(document: OpenApiDocument, given: JsonSchema): unknown {
  const schema = resolved(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const required = schema.required ?? [];
    return Object.fromEntries(
      required.map((name) => [name, minimal(document, schema.properties?.[name] ?? {})]),
    );
  }
  if (schema.items) return [minimal(document, schema.items)];
  if (schema.type === "number" || schema.type === "integer") return Math.max(1, schema.minimum ?? 1);
  return schema.type === "boolean" ? true : "a text";
}

/** Omits each required field in turn, and replaces each number with a string. */
function refusedOf(document: OpenApiDocument, shape: JsonSchema): unknown[] {
  const body = minimal(document, shape) as Record<string, unknown>;
  return Object.entries(body).flatMap(([name, value]) => {
    const { [name]: _, ...without } = body;
    return typeof value === "number" ? [without, { ...body, [name]: "1" }] : [without];
  });
}
