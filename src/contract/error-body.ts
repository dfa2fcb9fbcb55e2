import * as z from "zod";
import { openText } from "./fields.ts";
import type { RefusalEntry } from "./refusals/entry.ts";
import { refusals } from "./refusals.ts";
import { scopeCatalogue } from "./scopes.ts";

const everyRefusal: readonly RefusalEntry[] = Object.values(refusals);

/** The values that a field has among the refusals. */
const valuesOf = (field: "code" | "capability" | "resource") => [
  ...new Set(everyRefusal.flatMap((refusal) => refusal[field] ?? [])),
];

/** The body of every error (contract E1). */
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
