import { asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { build, insertSelect, rowsOf, statement } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { organizations } from "../organizations/tables.ts";
import { copyEntries, enableTracking, type Publishing } from "./publish.ts";
import type { RebuiltStep } from "./record.ts";
import { directoryChanges, newChange } from "./tables.ts";

/** Workspaces per step. */
const stepEntries = 50;

/** Rewrites some of this cell's directory entries, and deletes those of deleted workspaces. */
export async function rebuildStep({ db, cell }: Publishing, position = ""): Promise<RebuiltStep> {
  if (cell === null) return { organizations: 0, deleted: 0, next: null };
  await run(db, enableTracking);
  const { id } = organizations;
  const some = build
    .select({ id })
    .from(organizations)
    .where(gt(id, position))
    .orderBy(asc(id))
    .limit(stepEntries);
  const ids = (await run(db, rowsOf(some))).map((each) => each.id);
  const last = ids.length < stepEntries ? null : (ids.at(-1) ?? null);
  const gone = await run(cell.directory, {
    sql: missingBetween,
    params: [cell.name, position, last, JSON.stringify(ids)],
    read: (rows) => rows.map((row) => String(row.id)),
  });
  await copyEntries({ db, cell }, [...ids, ...gone]);
  return { organizations: ids.length, deleted: gone.length, next: last };
}

const missingBetween = `SELECT id FROM organizations WHERE cell = ?1 AND id > ?2 AND (?3 IS NULL OR id <= ?3)
  AND state NOT IN ('founding', 'arriving') AND id NOT IN (SELECT value FROM json_each(?4))`;

/** Marks entries as outdated, so that the next cron runs write them. */
const outdate = (where: SQL) =>
  statement(sql`${insertSelect(
    directoryChanges,
    { id: sql`id`, changes: newChange },
    sql`FROM ${organizations}
    WHERE EXISTS (SELECT 1 FROM ${directoryChanges} WHERE id = '') AND ${where}`,
  )}
    ON CONFLICT (id) DO UPDATE SET changes = excluded.changes`);

export const markAllOutdated = outdate(sql`true`);
export const markOutdated = (id: string) => outdate(eq(organizations.id, id));
