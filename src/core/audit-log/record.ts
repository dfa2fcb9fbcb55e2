import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";

/** One entry of the audit log: who did what to which record. Never contains a secret. */
export const AuditEntry = z.object({
  id,
  actor: z.string().meta({ description: "E-mail address of the member who acted, or who created the token" }),
  operator: z
    .string()
    .nullable()
    .meta({ description: "Who called with the platform's keys, as their machine says: told, not proved" }),
  action: z.string(),
  subject_id: z.string().nullable(),
  api_token_id: id.nullable().meta({ description: "The token that wrote it through the API" }),
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});

export type AuditEntry = z.output<typeof AuditEntry>;
