import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";

/** A workspace's branding for its clients: in reviews, e-mails and certificates. */
export const Brand = z.object({
  id,
  accent: z.string().nullable().meta({ description: "A color as `#rrggbb`; null for the default color" }),
  logo_content_type: z.string().nullable().meta({ description: "null if there is no logo" }),
  logo_sha256: z.string().nullable(),
  link_previews: z.boolean().meta({
    description: "Whether the work is shown in link previews and in e-mails",
  }),
  updated_at: timestamp,
});
export type Brand = z.output<typeof Brand>;
