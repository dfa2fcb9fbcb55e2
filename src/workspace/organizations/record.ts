import * as z from "zod";
import { currency, id, timestamp } from "../../contract/fields.ts";

/** A workspace as its admins see it. */
export const Organization = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  plan: z.string(),
  api_access: z.boolean().meta({ description: "Whether the plan includes API access" }),
  currency,
  features: z.array(z.string()),
  on_send_status_label: z.string().nullable().meta({ description: "null if no status is set for sends" }),
  requests_per_minute: z
    .int()
    .nullable()
    .meta({ description: "The limit set with `set-limit`; null if the plan's limit applies" }),
  reminder_days: z
    .int()
    .meta({ description: "Days from a send to the reminder; 0 if clients are not reminded" }),
  deliverable_count: z.int(),
  record_count: z.int().meta({ description: "Records that count toward the plan's `records_cap`" }),
  storage_bytes: z.int().meta({ description: "Bytes of images, which count toward the plan's `storage_mb`" }),
  created_at: timestamp,
  updated_at: timestamp,
  link_prefix: z.string().meta({ description: "The prefix of the workspace's share links and invitations" }),
});

export type Organization = z.output<typeof Organization>;

/** A workspace after it was created or moved to another plan. */
export const SoldOrganization = Organization.extend({
  room_warning: z.string().nullable().meta({
    description: "A warning when all plans together allow more than 70 % of a database; otherwise null",
  }),
});
export type SoldOrganization = z.output<typeof SoldOrganization>;
