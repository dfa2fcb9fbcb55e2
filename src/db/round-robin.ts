import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { notFenced } from "./fencing.ts";
import { notQuiet } from "./moving.ts";

/**
 * Sorts every organization's oldest row before any organization's second oldest. A partial index on both columns
 * contains the due rows, so only those are read.
 */
export const byTurn = (organization: Column, dueAt: Column): SQL =>
  sql`row_number() OVER (PARTITION BY ${organization} ORDER BY ${dueAt}), ${dueAt}`;

interface Waiting {
  table: SQLiteTable;
  organization: Column;
  /** The condition of the partial index on organization and dueAt. SQLite needs it to use the index. */
  isWaiting: SQL;
}

interface Turns extends Waiting {
  /** When a row became due. */
  dueAt: Column;
  isDue: SQL;
  limit: Placeholder | number;
  /** Identifies a row in a table without a rowid. */
  key?: Column;
  /** Which organizations (`organization.id`) to include; by default all. */
  hasTurn?: SQL;
}

/**
 * Defines `organization (id)`: each organization with waiting rows, found by stepping through the index in a recursive
 * CTE.
 */
export const organizationsWaiting = ({ table, organization, isWaiting }: Waiting): SQL => sql`
WITH RECURSIVE organization (id) AS (
  SELECT min(${organization}) FROM ${table} WHERE ${isWaiting}
  UNION ALL
  SELECT (SELECT min(${organization}) FROM ${table} WHERE ${isWaiting} AND ${organization} > organization.id)
  FROM organization WHERE organization.id IS NOT NULL)`;

/**
 * Returns every organization's oldest due row, then each one's second oldest, and so on, so that no organization waits
 * for another's backlog. Leaves out fenced organizations.
 */
export const roundRobin = (
  selected: SQL,
  { table, organization, dueAt, isWaiting, isDue, limit, key, hasTurn = sql`true` }: Turns,
): SQL => sql`
${organizationsWaiting({ table, organization, isWaiting })}
SELECT ${selected} FROM organization
CROSS JOIN ${table} ON ${key ?? sql`${table}.rowid`} IN (SELECT ${key ?? sql`rowid`} FROM ${table}
  WHERE ${organization} = organization.id AND ${isDue} ORDER BY ${dueAt} LIMIT ${limit})
WHERE ${notFenced(sql`organization.id`)} AND ${notQuiet(sql`organization.id`)} AND ${hasTurn}
ORDER BY ${byTurn(organization, dueAt)}
LIMIT ${limit}`;
