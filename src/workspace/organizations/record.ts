import * as z from "zod";
import { currency, id, timestamp } from "../../contract/fields.ts";

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
  requests_per_minute: z
    .int()
    .nullable()
    .meta({ description: "The workspace's own ceiling, from `set-limit`; null: its plan's" }),
  reminder_days: z.int().meta({ description: "Days after a send; 0: clients are not reminded" }),
  deliverable_count: z.int(),
  record_count: z.int().meta({ description: "What counts against the plan's records_cap" }),
  storage_bytes: z.int().meta({ description: "Bytes of images, against the plan's storage_mb" }),
  created_at: timestamp,
  updated_at: timestamp,
  link_prefix: z.string().meta({ description: "What its share links and invitations begin with" }),
});

export type Organization = z.output<typeof Organization>;

/** A workspace that was created, or moved to another plan. */
export const SoldOrganization = Organization.extend({
  room_warning: z
    .string()
    .nullable()
    .meta({ description: "When all plans allow 70 % of a database; else null" }),
});
export type SoldOrganization = z.output<typeof SoldOrganization>;
