import { type SQL, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { authorKinds } from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { createdAt } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const scopeRequestEvidence = sqliteTable("scope_request_evidence", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  project_id: text(),
  deliverable_id: text(),
  content: text().notNull(),
  author_kind: text({ enum: authorKinds }).notNull().default("client"),
  author_name: text(),
  author_address: text(),
  external_id: text().notNull(),
  metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  created_by: text().notNull(),
  content_fingerprint: text().notNull(),
  ...createdAt,
});

/** Evidence counts as one more record per `recordBytes` of its size. */
export const extraRecordsOf = ({ content, metadata }: { content: SQL; metadata: SQL }): SQL =>
  sql`(octet_length(${content}) + octet_length(${metadata})) / ${limits.recordBytes}`;

export const evidenceRules = [
  rules(scopeRequestEvidence, {
    counted: { by: { record_count: (row) => sql`1 + ${extraRecordsOf(row)}` } },
  }),
];
