import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";

export const ledger = sqliteTable(
  "requests",
  {
    organization_id: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    request_id: text().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    subject_id: text().notNull(),
    details: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
    answer: text(),
    secret_encrypted: text(),
    lease_ends_at: text(),
    ...createdAt,
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.key] })],
);

/** The service's own ledger (service-ledger.ts). */
export const serviceRequests = sqliteTable("service_requests", {
  key: text().primaryKey(),
  fingerprint: text().notNull(),
  request_id: text().notNull(),
  subject_id: text().notNull(),
  answer: text().notNull(),
  ...createdAt,
});
