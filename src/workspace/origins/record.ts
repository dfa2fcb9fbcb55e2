import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";

/** Where the links of review e-mails may lead besides the application's own origin. */
export const AllowedOrigin = z.object({ id, origin: z.string(), created_by: id, created_at: timestamp });

export type AllowedOrigin = z.output<typeof AllowedOrigin>;
