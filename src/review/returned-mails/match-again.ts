import { type SQL, sql } from "drizzle-orm";
import { mailEvents } from "../../core/mails/tables.ts";

/** Matches waiting reports again, because the update fires the trigger in guards.ts. */
export const matchAgain = (which: SQL): SQL =>
  sql`UPDATE ${mailEvents} SET received_at = received_at WHERE ${which}`;
