import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";

/** A row in `deliverable_sends`: a send or a reminder. */
type Mailed = Record<"sent_at" | "remind_after_days" | "reminder", SQLWrapper>;

/** The time of the reminder that follows an e-mail; NULL if none follows. */
export const nextReminder = ({ sent_at, remind_after_days, reminder }: Mailed): SQL =>
  sql`iif(${remind_after_days} > 0 AND coalesce(${reminder}, 0) < ${reviewLimits.remindersOfSend},
    strftime('%Y-%m-%dT%H:%M:%fZ', ${sent_at}, '+' || ${remind_after_days} || ' days'), NULL)`;
