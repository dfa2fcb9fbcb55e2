import { batch, type Query, run } from "../../db/query.ts";
import { enableTracking, type Publishing } from "./publish.ts";
import type { OwnCell } from "./record.ts";

/** Names that are unique across all cells. */
interface Names {
  id: string;
  slug: string;
  link_prefix: string;
}

/**
 * Reserves the names of a workspace that this cell is about to write. `founding` reserves them for a minute, for a new
 * workspace or an import without rows. `arriving` reserves them until the import ends. Returns the first name that
 * another workspace has, or null if all names are reserved for this workspace, even by an earlier call.
 */
export async function reserveNames(
  { db, cell }: Publishing,
  names: Names,
  state: "founding" | "arriving",
): Promise<keyof Names | null> {
  if (cell === null) return null;
  const { name, directory } = cell;
  await run(db, enableTracking);
  const params = [names.id, names.slug, names.link_prefix, name];
  const [, , , holders] = await batch(directory, [
    { sql: forgetDead, params: [names.slug, names.link_prefix], read: () => null },
    { sql: reserve, params: [...params, state], read: () => null },
    { sql: renew, params: [...params, state], read: () => null },
    { sql: findHolders, params, read: (rows) => rows },
  ] as const satisfies readonly Query<unknown>[]);
  const isTaken = (field: keyof Names) => holders.some((holder) => holder[field] === names[field]);
  return (["id", "slug", "link_prefix"] as const).find(isTaken) ?? null;
}

/** Releases the names after the workspace could not be created. */
export const releaseNames = ({ directory }: OwnCell, id: string): Promise<unknown> =>
  batch(directory, [
    {
      sql: "DELETE FROM organizations WHERE id = ? AND state = 'founding'",
      params: [id],
      read: () => null,
    },
  ]);

/** Frees names that were reserved more than a minute ago, because the creation failed or the import was abandoned. */
const forgetDead = `DELETE FROM organizations WHERE state = 'founding' AND (slug = ?1 OR link_prefix = ?2)
  AND created_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 minute')`;

const reserve = `INSERT INTO organizations (id, slug, link_prefix, cell, name, plan, state)
  VALUES (?1, ?2, ?3, ?4, '', '', ?5) ON CONFLICT DO NOTHING`;

/** An import without rows can begin again, with another slug. */
const renew = `UPDATE OR IGNORE organizations
  SET slug = ?2, state = ?5, created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  WHERE id = ?1 AND link_prefix = ?3 AND cell = ?4 AND state IN ('founding', 'arriving')`;

const findHolders = `SELECT id, slug, link_prefix FROM organizations
  WHERE (id = ?1 OR slug = ?2 OR link_prefix = ?3) AND NOT (id = ?1 AND slug = ?2 AND link_prefix = ?3 AND cell = ?4)`;
