import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { processorEventKinds, processorOutcomes, unmatchedReasons } from "../contract/closed-sets.ts";
import { now } from "../db/columns.ts";

export const processorEvents = sqliteTable("processor_events", {
  id: text().primaryKey(),
  organization_id: text(),
  type: text().notNull(),
  kind: text({ enum: processorEventKinds }).notNull(),
  outcome: text({ enum: processorOutcomes }).notNull(),
  unmatched_reason: text({ enum: unmatchedReasons }),
  processor_payment_id: text(),
  processor_reversal_id: text(),
  amount_minor: integer(),
  currency: text(),
  named_invoice: text(),
  named_deposit: text(),
  matched_invoice_id: text(),
  matched_amount_minor: integer(),
  occurred_at: text().notNull(),
  received_at: text().notNull().default(now),
});
