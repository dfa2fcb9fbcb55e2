import { type SQL, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** True except during an erasure. `erasures` contains the organization that the current batch erases. */
export const notErasing = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${erasures} WHERE id = ${row.organization_id})`;

/** The organization whose rows a batch erases; no row outlives its batch. */
export const erasures = sqliteTable("erasures", { id: text().primaryKey() });
