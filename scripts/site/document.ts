/** The parts of the OpenAPI document used by the documentation. */
export interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: Record<string, Record<string, unknown>>;
}

interface DocumentedOperation {
  operationId: string;
  tags?: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  "x-required-scope"?: string;
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
  parameters?: (DocumentedParameter | Reference)[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, DocumentedAnswer | Reference>;
}

export interface DocumentedParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface DocumentedAnswer {
  description: string;
  links?: Record<string, { operationId: string; description: string }>;
  content?: Record<string, Media>;
}

export interface Media {
  schema: Schema | Reference;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Schema {
  title?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema | Reference>;
  required?: string[];
  items?: Schema | Reference;
  allOf?: (Schema | Reference)[];
  anyOf?: (Schema | Reference)[];
  oneOf?: (Schema | Reference)[];
}

interface Reference {
  $ref: string;
}

export function resolved<T extends object>(document: Document, part: T | Reference): T {
  if (!("$ref" in part)) return part;
  const [, , kind = "", name = ""] = part.$ref.split("/");
  return document.components[kind]?.[name] as T;
}

export interface DocumentedCall {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

export const callsOf = ({ paths }: Document): DocumentedCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
