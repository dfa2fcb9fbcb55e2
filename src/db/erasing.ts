import { type SQL, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Guards that check this allow an erasure and nothing else: `erasures` contains the organization that the batch
 * erases.
 */
export const notErasing = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${erasures} WHERE id = ${row.organization_id})`;

/** The organization whose rows a batch erases; no row outlives its batch. */
export const erasures = sqliteTable("erasures", { id: text().primaryKey() });
