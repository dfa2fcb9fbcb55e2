import * as z from "zod";
import { createDocument } from "zod-openapi";
import { limits } from "../../src/contract/limits.ts";
import { type AdminOperation, type AdminOperations, acceptsKey } from "../../src/operations/operation.ts";

const refused = z
  .object({ message: z.string(), hint: z.string().nullable() })
  .meta({ id: "Refusal", description: "The error message, and a hint that programs can branch on" });

const refusals = {
  400: "A field is invalid, or the record's state does not allow the operation",
  401: "The caller is not signed in",
  403: "The caller is not an owner or admin, the plan lacks the feature, or the origin is not allowed",
  404: "The workspace does not have this record",
  409: "The Idempotency-Key was used for a different call, or for a call that is still in progress",
  429: "Too many calls for this workspace, or from this address without a session. Wait `Retry-After` seconds",
} as const;

const organization = z
  .string()
  .optional()
  .meta({ description: "The workspace's slug or id. Admins of a single workspace can omit it" });

const idempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyCharacters)
  .optional()
  .meta({
    description:
      "If a call is repeated with the same key and fields, the change is made only once, and the first result " +
      "is returned again",
  });

/**
 * The response's schema, which includes `idempotent_replay`, because a repeated call returns the first call's result.
 */
function answerOf(operation: AdminOperation): z.ZodType {
  const { answer, secret } = operation;
  if (!acceptsKey(operation) || !(answer instanceof z.ZodObject)) return answer;
  const hidden = z
    .string()
    .nullable()
    .meta({ description: "null if the call was repeated after more than a minute" });
  return answer.extend({
    ...(secret !== undefined && { [secret]: hidden }),
    idempotent_replay: z
      .literal(true)
      .optional()
      .meta({ description: "Present only if an earlier call made the change" }),
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
        "These operations are for owners and admins who are signed in at `/sign-in`, and are authenticated by " +
        "the session cookie. They are not part of the partner API and are not versioned.",
    },
    servers: [{ url: "/", description: "The host that serves this API" }],
    security: [{ session: [] }],
    paths: Object.fromEntries(openOperations(operations).map(pathOf)),
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
    },
  });
