import { eq, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, row } from "../../db/build.ts";
import { required, run } from "../../db/query.ts";
import { organizations, plans } from "./tables.ts";

const sold = { records: sql<number>`coalesce(sum(${plans.records_cap}), 0)`.as("records") };
const plansInUse = () =>
  required(
    row(sold, build.select(sold).from(organizations).innerJoin(plans, eq(plans.name, organizations.plan))),
  );

/** Returns a warning if the combined limits of all workspaces' plans could fill most of a database; otherwise null. */
export async function roomWarning(db: D1Database): Promise<string | null> {
  const { records } = await run(db, plansInUse());
  const percent = Math.floor((records * limits.bytesOfRecord * 100) / limits.databaseBytes);
  if (percent < limits.databaseNoticePercents.early) return null;
  return `The plans of all workspaces allow ${records} records, ${percent} % of a database (docs/operations.md, Storage)`;
}
