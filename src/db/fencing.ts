import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "./columns.ts";

/**
 * Workspaces that are closed individually (contract X6). Triggers prevent changes to their rows, and jobs for all
 * workspaces skip them. The table is usually empty.
 */
export const fences = sqliteTable("fences", {
  id: text().primaryKey(),
  /** Whether reads are also rejected, because some rows have not arrived yet. */
  hides: flag().notNull(),
});

const fenceOf = (organizationId: SQLWrapper): SQL =>
  sql`SELECT 1 FROM ${fences} WHERE id = ${organizationId}`;

export const isFenced = (organizationId: SQLWrapper): SQL => sql`EXISTS (${fenceOf(organizationId)})`;
export const notFenced = (organizationId: SQLWrapper): SQL => sql`NOT ${isFenced(organizationId)}`;

/** Whether all of an organization's rows have arrived. */
export const isComplete = (organizationId: SQLWrapper): SQL =>
  sql`NOT EXISTS (${fenceOf(organizationId)} AND hides)`;

/** What a workspace rejects: nothing, changes, or changes and reads. It is loaded by a statement that runs anyway. */
export type Fence = "changes" | "all" | null;
export const fenceColumn = (organizationId: SQLWrapper): SQL<Fence> =>
  sql<Fence>`(SELECT iif(hides, 'all', 'changes') FROM ${fences} WHERE id = ${organizationId})`;
