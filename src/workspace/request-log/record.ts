import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";
import { requestLogLimits } from "../../contract/request-log-limits.ts";

/** A request in the log (contract U2). */
export const ApiRequest = z
  .object({
    request_id: id.meta({ description: "The `X-Request-Id` of the response" }),
    at: timestamp.meta({ description: "When the request arrived" }),
    token: z.object({
      id,
      name: z.string(),
      token_prefix: z
        .string()
        .meta({ description: "The token's first 14 characters, which are safe to show" }),
    }),
    method: z.string(),
    route: z.string().meta({ description: "The path template, such as /api-v1/clients/{id}" }),
    status: z.int(),
    code: z.string().nullable().meta({ description: "The error's code; null if it has no code" }),
    error: z
      .string()
      .nullable()
      .meta({
        description:
          `The error message, without unknown field names and cut to ${requestLogLimits.errorCharacters} ` +
          "characters; null if the request succeeded",
      }),
    duration_ms: z.int(),
    replay: z
      .boolean()
      .meta({ description: "Whether the response replayed an earlier request with the same key" }),
    subject_id: id
      .nullable()
      .meta({ description: "The id of the record in the path, or of the record that the request created" }),
    count: z
      .int()
      .optional()
      .meta({
        description:
          "Present only with status 429: how many of the token's requests to this route returned 429 in the " +
          "same minute. The other fields describe the first of these requests",
      }),
  })
  .meta({ id: "ApiRequest" });
export type ApiRequest = z.output<typeof ApiRequest>;

export const exampleRequest: ApiRequest = {
  request_id: "6f1d2c3b-4a59-4867-8f7e-6d5c4b3a2910",
  at: "2026-01-31T09:30:00.000Z",
  token: {
    id: "5b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
    name: "Time tracker",
    token_prefix: "svc_0123456789",
  },
  method: "POST",
  route: "/api-v1/time-entries",
  status: 400,
  code: null,
  error: "hours must be at most 24",
  duration_ms: 12,
  replay: false,
  subject_id: null,
};

/** A status, or a class of statuses. */
export const statusInput = z
  .string()
  .regex(/^[1-5](?:\d\d|xx)$/, { error: "status must be a status like 404, or 4xx" })
  .meta({
    description: "A status such as `404`, or a class such as `4xx`",
    example: "4xx",
  });
