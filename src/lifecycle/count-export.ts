import { type SQL, sql } from "drizzle-orm";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { storedImages } from "../core/images/tables.ts";
import { row } from "../db/build.ts";
import { batch } from "../db/query.ts";
import { ownTables } from "./rows-of-organization.ts";

const counted = { rows: sql<number>`rows`, bytes: sql<number>`bytes` };

const countOf = (from: SQL, organization: unknown, id: string, bytes = sql`0`) =>
  row(counted, sql`SELECT count(*) AS rows, ${bytes} AS bytes FROM ${from} WHERE ${organization} = ${id}`);

/**
 * Returns the maximum number of steps in an export, not counting the request log, if each step reads this many rows or
 * image bytes.
 */
export async function countExportSteps(
  { services, organization: { id } }: Context<Staff, "db">,
  step: { rows: number; imageBytes: number },
): Promise<number> {
  const images = sql`coalesce(sum(${storedImages.bytes}), 0)`;
  const [ofImages, ...ofTables] = await batch(services.db, [
    countOf(sql`${storedImages}`, storedImages.organization_id, id, images),
    ...ownTables.map(({ from, organization }) => countOf(from, organization, id)),
  ]);
  const imageSteps = (ofImages?.rows ?? 0) + Math.ceil((ofImages?.bytes ?? 0) / step.imageBytes);
  return ofTables.reduce((sum, one) => sum + 1 + Math.floor((one?.rows ?? 0) / step.rows), imageSteps);
}
