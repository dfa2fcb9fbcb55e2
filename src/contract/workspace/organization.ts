import * as z from "zod";
import { memberStatuses, roles } from "../closed-sets.ts";
import { currency, id, idInput, timestamp } from "../fields.ts";
import { limits } from "../limits.ts";

/** What a list of members, tokens or origins takes; `cursor`: the id of the last one of the page before. */
export const listedPage = {
  limit: z
    .int()
    .min(limits.pageSizeRecords.min)
    .max(limits.pageSizeRecords.max)
    .default(limits.pageSizeRecords.default),
  cursor: idInput.optional(),
};

/** A workspace, as its admins see it. */
export const Organization = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  plan: z.string(),
  api_access: z.boolean().meta({ description: "Whether the plan has it" }),
  currency,
  features: z.array(z.string()),
  on_send_status_label: z.string().nullable().meta({ description: "null: no status is flagged as on-send" }),
  deliverable_count: z.int(),
  record_count: z.int().meta({ description: "What counts against the plan's records_cap" }),
  storage_bytes: z.int().meta({ description: "Bytes of images, against the plan's storage_mb" }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Organization = z.output<typeof Organization>;

/** A person in a workspace. One with the role `none` has left; the row stays because other rows name it. */
export const Member = z.object({
  id,
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(roles),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Member = z.output<typeof Member>;

/** A person as admins see them: a member, or somebody who was invited. */
export const ListedMember = Member.extend({
  role: z.enum(roles).meta({ description: "Of an invited person, the role they get when they accept" }),
  status: z
    .enum(memberStatuses)
    .meta({ description: "`invited`: has no role and gets no mail until they accept" }),
});
export type ListedMember = z.output<typeof ListedMember>;

export const ApiToken = z.object({
  id,
  name: z.string(),
  token_prefix: z.string().meta({ description: "The first 14 characters, safe to show" }),
  scopes: z.array(z.string()),
  created_by: id,
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export type ApiToken = z.output<typeof ApiToken>;

export const ListedToken = ApiToken.extend({
  creator: z.string().meta({ description: "Name or e-mail address of the member who created it" }),
  last_used_at: timestamp.nullable().meta({ description: "The minute of its last call; null: never used" }),
});
export type ListedToken = z.output<typeof ListedToken>;

/** The one answer that holds the plaintext. */
export const MintedToken = ApiToken.omit({ revoked_at: true }).extend({ token: z.string() });
export type MintedToken = z.output<typeof MintedToken>;

/** One line of the audit log: who did what to which record. Never holds a secret. */
export const AuditEntry = z.object({
  id,
  actor: z.string().meta({ description: "E-mail address of the member who acted, or who minted the token" }),
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

/** Where the links of review mails may lead beside the application's own origin. */
export const AllowedOrigin = z.object({ id, origin: z.string(), created_by: id, created_at: timestamp });
export type AllowedOrigin = z.output<typeof AllowedOrigin>;
