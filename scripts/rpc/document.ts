import * as z from "zod";
import { createDocument } from "zod-openapi";
import { limits } from "../../src/contract/limits.ts";
import { type AdminOperation, type AdminOperations, acceptsKey } from "../../src/operations/operation.ts";

const refused = z
  .object({ message: z.string(), hint: z.string().nullable() })
  .meta({ id: "Refusal", description: "The error, and a hint that a program can branch on" });

const refusals = {
  400: "A field is not valid, or the record's state does not allow it",
  401: "No one is signed in",
  403: "Not an owner or admin of the workspace, not in its plan, or called from an unknown origin",
  404: "The workspace has no such record",
  409: "The Idempotency-Key belongs to another call, or to a call in progress",
  429: "Too many calls from this workspace, or from this address without a session; wait Retry-After seconds",
} as const;

const organization = z
  .string()
  .optional()
  .meta({ description: "Slug or id of the workspace; optional for admins of a single workspace" });

const idempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyCharacters)
  .optional()
  .meta({
    description:
      "Repeating a call with the same key and fields does the work once, and returns the first " +
      "result again",
  });

/**
 * The response's schema, which includes `idempotent_replay`, because a repeated call returns the first call's result.
 */
function answerOf(operation: AdminOperation): z.ZodType {
  const { answer, secret } = operation;
  if (!acceptsKey(operation) || !(answer instanceof z.ZodObject)) return answer;
  const hidden = z.string().nullable().meta({ description: "null if the call is repeated after a minute" });
  return answer.extend({
    ...(secret !== undefined && { [secret]: hidden }),
    idempotent_replay: z
      .literal(true)
      .optional()
      .meta({ description: "Whether an earlier call did the work" }),
  });
}

const json = (schema: z.ZodType) => ({ "application/json": { schema } });

export const rpcName = (name: string): string => name.replaceAll("-", "_");

/** The operations available to a signed-in admin. */
const openOperations = (operations: AdminOperations): [string, AdminOperation][] =>
  Object.entries(operations).filter(([, { allowed }]) => allowed === "admin");

const pathOf = ([name, operation]: [string, AdminOperation]) => {
  const body = operation.kind === "workspace" ? operation.input.extend({ organization }) : operation.input;
  const responses = Object.entries(refusals).map(([status, description]) => [
    status,
    { description, content: json(refused) },
  ]);
  return [
    `/rpc/${rpcName(name)}`,
    {
      post: {
        operationId: rpcName(name),
        summary: operation.summary,
        ...(acceptsKey(operation) && {
          requestParams: { header: z.object({ "Idempotency-Key": idempotencyKey }) },
        }),
        requestBody: { content: json(body) },
        responses: {
          200: { description: "The result", content: json(answerOf(operation)) },
          ...Object.fromEntries(responses),
        },
      },
    },
  ];
};

/** Builds the OpenAPI 3.1 document for the settings' operations. The partner API's guarantees do not apply to them. */
export const rpcDocument = (operations: AdminOperations) =>
  createDocument({
    openapi: "3.1.0",
    info: {
      title: "Operations of a workspace's settings",
      version: "1",
      description:
        "For owners and admins who are signed in at `/sign-in`, authenticated by the session cookie. Not part " +
        "of the partner API, and not versioned.",
    },
    servers: [{ url: "/", description: "The host that serves this API" }],
    security: [{ session: [] }],
    paths: Object.fromEntries(openOperations(operations).map(pathOf)),
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
    },
  });
