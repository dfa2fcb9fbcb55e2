import * as z from "zod";
import { openText } from "./fields.ts";
import { FieldProblem } from "./problems.ts";
import type { RefusalEntry } from "./refusals/entry.ts";
import { refusals } from "./refusals.ts";
import { scopeCatalogue } from "./scopes.ts";

const everyRefusal: readonly RefusalEntry[] = Object.values(refusals);

/** Returns all values that the refusals use for one field. */
const valuesOf = (field: "code" | "capability" | "resource") => [
  ...new Set(everyRefusal.flatMap((refusal) => refusal[field] ?? [])),
];

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: "A human-readable message. Branch on `code`, not on this text" }),
    code: openText(valuesOf("code")).optional(),
    capability: openText(valuesOf("capability"))
      .optional()
      .meta({ description: "The capability that the plan lacks" }),
    resource: openText(valuesOf("resource"))
      .optional()
      .meta({ description: "The resource that the plan limits" }),
    required_scope: openText(Object.keys(scopeCatalogue)).optional().meta({
      description: "The scope that the token lacks",
    }),
    retry_after_seconds: z.int().min(1).optional().meta({
      description: "The number of seconds to wait, plus jitter, before you retry",
    }),
  })
  .meta({ id: "Error" });

/** The error body for requests with `Accept: application/problem+json` (RFC 9457; contract E9). */
export const Problem = ErrorBody.extend({
  type: z.url().meta({ description: "The documentation page that explains this error" }),
  title: z.string().meta({ description: "A summary of this type of error" }),
  status: z.int(),
  detail: z.string().meta({ description: "Same as `error`" }),
  instance: z.string().meta({
    description: "The request's id",
    example: "urn:uuid:7f6c1c1e-3d52-4f4b-9a3b-0f3f5a2f9c1d",
  }),
  errors: z.array(FieldProblem).optional().meta({
    description: "Present only on a 400: every problem with the request, up to 100",
  }),
}).meta({ id: "Problem" });
