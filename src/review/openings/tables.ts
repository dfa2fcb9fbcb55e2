import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

/** Who opened which version of a review: one row per visitor, version and day (UTC). */
export const reviewOpenings = sqliteTable(
  "review_openings",
  {
    organization_id: text().notNull(),
    deliverable_id: text().notNull(),
    day: text().notNull(),
    version_number: integer().notNull(),
    /** Empty for the client, identified by an e-mailed link or code. Otherwise the name that the visitor gave. */
    visitor: text().notNull(),
    ...createdAt,
  },
  ({ organization_id, deliverable_id, day, version_number, visitor }) => [
    primaryKey({ columns: [organization_id, deliverable_id, day, version_number, visitor] }),
  ],
);

export const openingsRules = [rules(reviewOpenings, { writtenOnce: true })];
