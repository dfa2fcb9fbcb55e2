import { eq, sql } from "drizzle-orm";
import { build, statement } from "../db/build.ts";
import { erasures } from "../db/erasing.ts";
import type { Query } from "../db/query.ts";
import { organizations } from "../workspace/organizations/tables.ts";

/** Wraps queries so that the guards on write-once rows allow their batch to change this organization's rows. */
export const erasing = <const Q extends readonly Query<unknown>[]>(organizationId: string, queries: Q) =>
  [
    statement(sql`INSERT INTO ${erasures} (id) SELECT id FROM ${organizations} WHERE id = ${organizationId}`),
    ...queries,
    statement(build.delete(erasures).where(eq(erasures.id, organizationId))),
  ] as const;
