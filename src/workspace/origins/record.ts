import * as z from "zod";
import { id, timestamp } from "../../contract/fields.ts";

/** An origin that links in review e-mails may use besides the application's own. */
export const AllowedOrigin = z.object({ id, origin: z.string(), created_by: id, created_at: timestamp });

export type AllowedOrigin = z.output<typeof AllowedOrigin>;
