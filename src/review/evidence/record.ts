import * as z from "zod";
import { authorKinds } from "../../contract/closed-sets.ts";
import {
  clientIdInput,
  defaultOf,
  evidenceText,
  id,
  idInput,
  line,
  optionalLine,
  timestamp,
} from "../../contract/fields.ts";
import { isRecord } from "../../contract/is-record.ts";
import { limits } from "../../contract/limits.ts";

export const Evidence = z
  .object({
    id,
    client_id: id,
    project_id: id.nullable(),
    deliverable_id: id.nullable(),
    content: z.string(),
    author_kind: z.enum(authorKinds),
    author_name: z.string().nullable(),
    author_address: z.string().nullable(),
    external_id: z.string(),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: "The metadata that you sent, plus the `api_token_id` that the server adds" }),
    created_at: timestamp,
  })
  .meta({ id: "ScopeRequestEvidence" });
export type Evidence = z.output<typeof Evidence>;

/** Without a key, a dry run's evidence has no external_id. */
export const DryRunEvidence = Evidence.extend({
  external_id: z
    .string()
    .nullable()
    .meta({ description: "null if the request had neither an `external_id` nor an Idempotency-Key" }),
}).meta({ id: "DryRunScopeRequestEvidence" });

const metadataKilobytes = limits.metadataBytes / 1024;

export const NewEvidence = z
  .strictObject({
    client_id: clientIdInput,
    project_id: idInput.optional().meta({ description: "A project of the same client" }),
    deliverable_id: idInput.optional().meta({ description: "A deliverable of the same client" }),
    content: evidenceText(1, limits.ingestContentCharacters),
    author_kind: z.enum(authorKinds).default("client").meta(defaultOf("client")),
    author_name: optionalLine(limits.nameCharacters),
    author_address: optionalLine(limits.authorAddressCharacters),
    external_id: line(1, limits.externalIdCharacters).optional().meta({
      description: "Must be unique in the workspace. Default: the Idempotency-Key",
    }),
    metadata: z
      .unknown()
      .transform((value, { issues }) => {
        const wrong = isRecord(value) ? wrongMetadata(value) : "metadata must be an object";
        if (wrong) issues.push({ code: "custom", input: value, message: wrong });
        return value as Record<string, unknown>;
      })
      .meta({ override: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} } })
      .default({})
      .meta(
        defaultOf(
          {},
          `At most ${metadataKilobytes} KB as JSON, nested at most ${limits.metadataLevels} levels deep`,
        ),
      ),
  })
  .meta({ id: "NewScopeRequestEvidence" });
export type NewEvidence = z.output<typeof NewEvidence>;

/** Rejects metadata that RFC 8785 or the database cannot represent. Uses no recursion, so any depth is safe. */
function wrongMetadata(metadata: object): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && !value.isWellFormed()) return "metadata has text that is not Unicode";
    if (typeof value !== "object" || value === null) continue;
    if (depth > limits.metadataLevels)
      return `metadata must be nested at most ${limits.metadataLevels} levels deep`;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "__proto__") return "metadata has a field named __proto__";
      if (!name.isWellFormed()) return "metadata has text that is not Unicode";
      open.push({ value: inner, depth: depth + 1 });
    }
  }
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes > limits.metadataBytes
    ? `metadata must be at most ${metadataKilobytes} KB as JSON`
    : undefined;
}
