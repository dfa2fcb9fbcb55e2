import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";

/** One audit log entry, which records who did what to which record. It never includes a secret. */
export const AuditEntry = z.object({
  id,
  actor: z
    .string()
    .meta({ description: "The e-mail address of the member who acted, or who created the token" }),
  operator: z
    .string()
    .nullable()
    .meta({ description: "The operator's user name on their machine, which is not verified" }),
  action: z.string(),
  subject_id: z.string().nullable(),
  api_token_id: id.nullable().meta({ description: "The id of the token that made the change" }),
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});

export type AuditEntry = z.output<typeof AuditEntry>;
