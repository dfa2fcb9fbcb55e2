import { type SQL, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** True except during an erasure. `erasures` holds the organization that the current batch erases. */
export const notErasing = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${erasures} WHERE id = ${row.organization_id})`;

/** The organization that the current batch erases. The batch also deletes the row. */
export const erasures = sqliteTable("erasures", { id: text().primaryKey() });
