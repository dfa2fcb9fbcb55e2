import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { noticeRecipients } from "../../contract/closed-sets.ts";
import { createdAt, now, randomId } from "../../db/columns.ts";

/** E-mails about changes in a review. A trigger inserts each one together with the row that it is about. */
export const reviewNotices = sqliteTable("review_notices", {
  id: text().primaryKey().default(randomId),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  feedback_id: text(),
  sign_off_id: text(),
  recipient: text({ enum: noticeRecipients }).notNull(),
  attempts: integer().notNull().default(0),
  due_at: text().default(now),
  leased_until: text(),
  sent_at: text(),
  ...createdAt,
});
