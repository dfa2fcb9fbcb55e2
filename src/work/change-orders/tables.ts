import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { changeOrderStatuses } from "../../contract/closed-sets.ts";
import { stamps } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

export const changeOrders = sqliteTable("change_orders", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: changeOrderStatuses }).notNull().default("draft"),
  created_by: text().notNull(),
  ...stamps,
});

export const changeOrdersRules = [
  rules(changeOrders, { counted: oneRecord, stamped: true, notReplaced: true }),
];
