import * as z from "zod";
import { type Failure, failures } from "./failures.ts";
import { openText } from "./fields.ts";
import { scopeCatalogue } from "./scopes.ts";

const everyFailure: readonly Failure[] = Object.values(failures);

/** The values that a field has among the failures. */
const valuesOf = (field: "code" | "capability" | "resource") => [
  ...new Set(everyFailure.flatMap((failure) => failure[field] ?? [])),
];

/** The body of every error (specification 7). */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: "For people. Branch on `code`, not on this text" }),
    code: openText(valuesOf("code")).optional(),
    capability: openText(valuesOf("capability")).optional().meta({ description: "What the plan lacks" }),
    resource: openText(valuesOf("resource")).optional().meta({ description: "What the plan limits" }),
    required_scope: openText(Object.keys(scopeCatalogue)).optional().meta({
      description: "The scope that the token lacks",
    }),
    retry_after_seconds: z.int().min(1).optional().meta({
      description: "Wait at least this long, with jitter",
    }),
  })
  .meta({ id: "Error" });
