import { eq } from "drizzle-orm";
import type { Services } from "../../core/services.ts";
import { build, rowsOf, statement } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import { moveChanges, moves } from "../../db/moving.ts";
import { batch, run } from "../../db/query.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { eraseRows } from "./source.ts";

/** Workspaces that moved after the point in time to which a cell was restored (contract Z11). */

type Uses = Pick<Services, "db" | "cell" | "images" | "eraseCoordinator">;

/** Finds a copy that was incomplete at that time, or one of these workspaces that is now in another cell. */
export async function findMovedAway({ db, cell }: Uses, ids: readonly string[]): Promise<string | undefined> {
  if (cell === null) return undefined;
  const copies = build.select({ id: moves.id }).from(moves).where(eq(moves.side, "to")).limit(1);
  const [copy] = await run(db, rowsOf(copies));
  if (copy) return copy.id;
  const [away] = await run(cell.directory, {
    sql: `SELECT id FROM organizations WHERE id IN (SELECT value FROM json_each(?)) AND cell <> ? LIMIT 1`,
    params: [JSON.stringify(ids), cell.name],
    read: (found) => found.map(({ id }) => String(id)),
  });
  return away;
}

/** Erases some of a workspace's rows in this cell. Returns true if there are none left. */
export async function eraseMovedAway(services: Uses, id: string): Promise<boolean> {
  if (!(await eraseRows(services, id))) return false;
  await batch(services.db, [
    statement(build.delete(moveChanges).where(eq(moveChanges.move, id))),
    statement(build.delete(moves).where(eq(moves.id, id))),
  ]);
  return true;
}

/** Finds workspaces that moved to this cell after that time, while another cell still had their rows. */
export async function findArrived({
  db,
  cell,
}: Uses): Promise<{ organization: string; cell: string; at: string }[]> {
  if (cell === null) return [];
  const arrived = await run(cell.directory, {
    sql: `SELECT id, slug, moved_from, moved_at FROM organizations WHERE cell = ? AND moved_from IS NOT NULL`,
    params: [cell.name],
    read: (found) =>
      found.map(({ id, slug, moved_from, moved_at }) => ({
        id: String(id),
        moved: { organization: String(slug), cell: String(moved_from), at: String(moved_at) },
      })),
  });
  const { id } = organizations;
  const ids = arrived.map((each) => each.id);
  const here = await run(db, rowsOf(build.select({ id }).from(organizations).where(isIn(id, ids))));
  const known = new Set(here.map((each) => each.id));
  return arrived.filter((each) => !known.has(each.id)).map(({ moved }) => moved);
}
