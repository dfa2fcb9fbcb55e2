import * as z from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from "zod-openapi";
import { limits } from "../../src/contract/limits.ts";
import { mayBeEmpty } from "../../src/http/read-body.ts";
import type { Route, WriteRoute } from "../../src/http/route.ts";
import { always, carries, counted } from "./headers.ts";
import { refusalsOf } from "./refusals.ts";

/** The idempotency key parameter, which every write with a key shares. */
export const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description:
    "Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is " +
    "performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for " +
    "dry runs.",
  schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKeyCharacters },
  example: "0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10",
} as const;

const answered = (
  description: string,
  schema: z.ZodType,
  value: unknown,
  route: Route,
): ZodOpenApiResponseObject => ({
  description,
  headers: carries(...always, ...counted, ...(route.deprecated ? (["Deprecation", "Sunset"] as const) : [])),
  content: { "application/json": { schema, examples: { answer: { summary: description, value } } } },
});

const replayMark = z
  .literal(true)
  .meta({ description: "Present only on a replay: an earlier request with this key performed the write" });

/** Also declared on the first response, so that code can read the field on either response. */
const notReplayed = z.literal(true).optional().meta({ description: "Present only on a replay" });

/** The first response's fields plus `idempotent_replay`. */
const replayOf = (route: WriteRoute, mark: z.ZodType = replayMark) =>
  z.intersection(route.answer, z.object({ idempotent_replay: mark }));

/** The response to a dry run. */
const dryRunOf = ({ status, answer, dryRunAnswer = answer }: WriteRoute) =>
  z.intersection(
    dryRunAnswer,
    z.object({
      dry_run: z.literal(true).meta({ description: "Present only on a dry run: nothing was saved" }),
      would_be: z.literal(status === 200 ? [200] : [200, 201]).meta({
        description: "The status that the real request would return; for a create, 200 means a replay",
      }),
      idempotent_replay: z
        .literal(true)
        .optional()
        .meta({ description: "An earlier request with this key performed the write" }),
    }),
  );

/** The 200 responses to a write with a key: a replay, a send's first response or a dry run. */
const either = (route: WriteRoute) => {
  const isCreate = route.status === 201;
  const replay = replayOf(route, isCreate ? replayMark : replayMark.optional());
  return z.union([
    replay.meta({ title: isCreate ? "A replay" : "The response or a replay" }),
    dryRunOf(route).meta({ title: "A dry run" }),
  ]);
};

const dryRunExample = ({ status, examples }: WriteRoute) => ({
  summary: "A dry run: nothing was saved",
  value: { dry_run: true, would_be: status, ...(examples.dryRun ?? (examples.answer as object)) },
});

/** An image, a byte range of it, or 304 Not Modified. */
function streamed(
  description: string,
  contentTypes: readonly string[],
): Record<string, ZodOpenApiResponseObject> {
  const content = Object.fromEntries(contentTypes.map((type) => [type, {}]));
  const headers = carries(...always, ...counted, "ETag", "Accept-Ranges");
  return {
    200: { description, headers, content },
    206: {
      description: "The requested range",
      headers: { ...headers, ...carries("Content-Range") },
      content,
    },
    304: { description: "The image matches `If-None-Match`", headers },
  };
}

const conditionalHeaders = [
  {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the image that you already have",
    schema: { type: "string" },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  {
    name: "Range",
    in: "header",
    description: "A single byte range",
    schema: { type: "string" },
    example: "bytes=0-1023",
  },
] as const;

function successesOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const { answer, answerDescription, examples } = route;
  if (route.kind === "read" && route.contentTypes) return streamed(answerDescription, route.contentTypes);
  if (route.kind === "read") return { 200: answered(answerDescription, answer, examples.answer, route) };
  const done = answered(answerDescription, answer, examples.answer, route);
  if (!route.idempotent) return { [route.status]: done };
  const isCreate = route.status === 201;
  const first = answered(answerDescription, replayOf(route, notReplayed), examples.answer, route);
  const others = isCreate ? "A replay of the first response" : `${answerDescription}, a replay`;
  const replay = {
    summary: "A replay: the write was not repeated",
    value: { ...(examples.answer as object), idempotent_replay: true },
  };
  const shown = isCreate ? undefined : { answer: { summary: answerDescription, value: examples.answer } };
  return {
    ...(isCreate ? { 201: first } : {}),
    200: {
      ...done,
      description: `${others}, or a dry run`,
      content: {
        "application/json": {
          schema: either(route),
          examples: { ...shown, replay, dry_run: dryRunExample(route) },
        },
      },
    },
  };
}

function scopeLine({ scope, furtherScopes = [] }: Route): string {
  if (scope) return `Scope: \`${scope}\`.`;
  if (furtherScopes.length === 0) return "Requires a valid token with any scope.";
  return `Scopes, depending on the event types: ${furtherScopes.map((each) => `\`${each}\``).join(", ")}.`;
}

const megabytes = (bytes: number) => bytes / 1024 / 1024;

function operationOf(route: Route): ZodOpenApiOperationObject {
  const keyed = route.kind === "write" && route.idempotent;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeLine(route)].filter(Boolean).join("\n\n"),
    ...(route.deprecated ? { deprecated: true } : {}),
    // OpenAPI 3.1 allows roles on non-OAuth schemes, but few tools support that.
    security: [{ token: [], gatewayKey: [] }],
    ...(route.scope ? { "x-required-scope": route.scope } : {}),
    requestParams: {
      ...(route.params ? { path: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
    },
    ...(route.kind === "read" && route.contentTypes ? { parameters: [...conditionalHeaders] } : {}),
    ...(keyed ? { parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }] } : {}),
    ...(route.kind === "write"
      ? {
          requestBody: {
            description: `At most ${megabytes(route.maximumBodyBytes)} MB`,
            required: !mayBeEmpty(route.body),
            content: {
              "application/json": {
                schema: route.body,
                examples: { request: { summary: route.summary, value: route.examples.body } },
              },
            },
          },
        }
      : {}),
    responses: { ...successesOf(route), ...refusalsOf(route) },
  };
}

/** The document's paths, in route order. */
export function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return paths;
}
