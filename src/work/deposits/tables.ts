import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { depositStatuses, paymentMethods } from "../../contract/closed-sets.ts";
import { stamps } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

export const deposits = sqliteTable("deposits", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: depositStatuses }).notNull().default("pending"),
  collected_via: text({ enum: paymentMethods }),
  cleared_at: text(),
  created_by: text().notNull(),
  ...stamps,
  processor_payment_id: text(),
});

export const depositsRules = [
  rules(deposits, { counted: oneRecord, stamped: true, notReplaced: true, unique: ["processor_payment_id"] }),
];
