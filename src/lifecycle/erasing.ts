import { eq } from "drizzle-orm";
import { build, statement } from "../db/build.ts";
import { erasures } from "../db/erasing.ts";
import type { Query } from "../db/query.ts";

/** Wraps queries so that, in their batch, the guards of write-once rows allow changes to this organization's rows. */
export const erasing = <const Q extends readonly Query<unknown>[]>(organizationId: string, queries: Q) =>
  [
    statement(build.insert(erasures).values({ id: organizationId })),
    ...queries,
    statement(build.delete(erasures).where(eq(erasures.id, organizationId))),
  ] as const;
