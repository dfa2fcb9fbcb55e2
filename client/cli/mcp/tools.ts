import type { Tool } from "@modelcontextprotocol/server";
import {
  inlineReferences,
  type ServedDocument,
  type ServedOperation,
  type ServedParameter,
} from "./document.ts";

export interface OfferedCall {
  tool: Tool;
  method: "GET" | "POST";
  path: string;
  operation: ServedOperation;
  /** The names of its query parameters. */
  query: string[];
  isImage: boolean;
}

/** Operations that e-mail someone outside the workspace. */
export const emailOperations: ReadonlySet<string> = new Set(["sendDeliverable"]);

/** Parameters that the agent does not set: the handle is the key, and preparing is the dry run. */
const ownParameters: ReadonlySet<string> = new Set(["Idempotency-Key", "dry_run"]);

/** Creates a tool for each operation that the scopes allow. Reads keep their names; writes become preparations. */
export function callsFor(document: ServedDocument, scopes: readonly string[]): OfferedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isAllowed(operation, scopes))
      .map(([method, operation]) => callOf(document, path, method, operation)),
  );
}

const isAllowed = (
  { tags, deprecated, "x-required-scope": scope }: ServedOperation,
  scopes: readonly string[],
) => !deprecated && !tags.includes("Legacy") && (scope === undefined || scopes.includes(scope));

function callOf(
  document: ServedDocument,
  path: string,
  method: string,
  operation: ServedOperation,
): OfferedCall {
  const isWrite = method === "post";
  const { operationId, summary, description = "" } = operation;
  const parameters = ((operation.parameters ?? []) as unknown[])
    .map((parameter) => inlineReferences(document, parameter) as ServedParameter)
    .filter(({ name, in: place }) => place !== "header" && !ownParameters.has(name));
  const schemas = parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description ? { description } : {}) },
  ]);
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []));
  const body = operation.requestBody?.content["application/json"]?.schema;
  if (body) {
    schemas.push(["body", inlineReferences(document, body) as object]);
    if (operation.requestBody?.required) required.push("body");
  }
  const title = isWrite ? `Prepare: ${summary}` : summary;
  const what = isWrite
    ? "Changes nothing. Describes what would happen, and returns a handle to commit.\n\n"
    : "";
  return {
    tool: {
      name: isWrite ? `prepare_${operationId}` : operationId,
      title,
      description: `${title}. ${what}${description}`.trim(),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(schemas),
        required,
        additionalProperties: false,
      },
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    },
    method: isWrite ? "POST" : "GET",
    path,
    operation,
    query: parameters.flatMap(({ name, in: place }) => (place === "query" ? [name] : [])),
    isImage: Object.keys(operation.responses["200"]?.content ?? {}).some((type) => type.startsWith("image/")),
  };
}

const handleSchema: Tool["inputSchema"] = {
  type: "object",
  properties: { handle: { type: "string", description: "The handle that a prepare tool returned" } },
  required: ["handle"],
  additionalProperties: false,
};

const again =
  "Committing the same handle again, even in another session, returns the same response and does not repeat the work.";

/** Commit prepared writes. E-mailing a client is a separate tool, so that only it needs a person's approval. */
export const commitTools = {
  commit: {
    name: "commit",
    title: "Commit prepared work",
    description:
      `Does the prepared work once. ${again} After an error or a lost response, commit the same ` +
      `handle again.`,
    inputSchema: handleSchema,
    annotations: {
      title: "Commit prepared work",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  commit_send: {
    name: "commit_send",
    title: "Send a prepared e-mail to the client",
    description: `Sends the prepared e-mail to a client of the workspace: a real person gets it, and it cannot be \
taken back. Ask the user first. ${again}`,
    inputSchema: handleSchema,
    annotations: {
      title: "Send a prepared e-mail to the client",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
} as const satisfies Record<string, Tool>;

/** Returns the tools for a set of calls. */
export function toolsOf(calls: readonly OfferedCall[]): Tool[] {
  const writes = calls.filter(({ method }) => method === "POST");
  const mails = writes.filter(({ operation }) => emailOperations.has(operation.operationId));
  return [
    ...calls.map(({ tool }) => tool),
    ...(writes.length > mails.length ? [commitTools.commit] : []),
    ...(mails.length > 0 ? [commitTools.commit_send] : []),
  ];
}

/** Describes what is wrong with a call's arguments, if anything. */
export function wrongArguments(schema: Tool["inputSchema"], given: object): string | undefined {
  const { properties = {}, required = [] } = schema;
  const named = (names: string[]) => names.map((name) => JSON.stringify(name)).join(", ");
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  const place = Object.hasOwn(properties, "body") ? " Put the record's fields into body." : "";
  if (unknown.length > 0) return `The tool has no argument ${named(unknown)}.${place}`;
  return missing.length > 0 ? `The call is missing ${named(missing)}.` : undefined;
}
