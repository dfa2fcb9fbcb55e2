import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";

/** A row of `deliverable_sends`: a send or a reminder of it. */
type Mailed = Record<"sent_at" | "remind_after_days" | "reminder", SQLWrapper>;

/** When the e-mail of a row is followed by a reminder; NULL if it is not. */
export const nextReminder = ({ sent_at, remind_after_days, reminder }: Mailed): SQL =>
  sql`iif(${remind_after_days} > 0 AND coalesce(${reminder}, 0) < ${reviewLimits.remindersOfSend},
    strftime('%Y-%m-%dT%H:%M:%fZ', ${sent_at}, '+' || ${remind_after_days} || ' days'), NULL)`;
