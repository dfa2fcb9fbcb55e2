import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  processorEventKinds,
  processorOutcomes,
  reversalKinds,
  unmatchedReasons,
} from "../../contract/closed-sets.ts";
import { createdAt, now, randomId } from "./columns.ts";
import { rules } from "./rules.ts";

/**
 * The payment processor: its events as they came, and the money that it took back. Its ids never leave these tables.
 */

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

export const paymentReversals = sqliteTable("payment_reversals", {
  id: text().primaryKey().default(randomId),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  kind: text({ enum: reversalKinds }).notNull(),
  amount_minor: integer().notNull(),
  processor_payment_id: text(),
  processor_reversal_id: text(),
  ...createdAt,
});

export const processorRules = [rules(paymentReversals, { writtenOnce: true, kept: true })];
