import { count } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { databaseBytes } from "../../core/operator/report-database-size.ts";
import type { Services } from "../../core/services.ts";
import { build, rowOf } from "../../db/build.ts";
import { migrations } from "../../db/migrations.ts";
import { required, run } from "../../db/query.ts";
import { organizations } from "../organizations/tables.ts";
import type { ListedCell } from "./record.ts";

/** Describes this cell for operators. */
export async function readCell({
  db,
  cell,
  region,
  serviceState,
}: Pick<Services, "db" | "cell" | "region" | "serviceState">): Promise<ListedCell> {
  const [bytes, found] = await Promise.all([
    databaseBytes(db),
    run(
      db,
      required(rowOf(build.select({ organizations: count().as("organizations") }).from(organizations))),
    ),
  ]);
  const isFull = bytes * 100 >= limits.databaseBytes * limits.databaseNoticePercents.early;
  const state = serviceState !== "open" ? "closed" : isFull ? "full" : "open";
  return { name: cell?.name ?? soleCell, region, state, ...found, bytes, schema: migrations.at(-1) ?? null };
}

export const soleCell = "a";
