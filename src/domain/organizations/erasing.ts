import { eq } from "drizzle-orm";
import { build, statement } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { erasures } from "../../db/schema/workspace.ts";

/** A batch to which the guards of written-once rows yield, for the rows of this organization and while it lasts. */
export const erasing = <const Q extends readonly Query<unknown>[]>(organizationId: string, queries: Q) =>
  [
    statement(build.insert(erasures).values({ id: organizationId })),
    ...queries,
    statement(build.delete(erasures).where(eq(erasures.id, organizationId))),
  ] as const;
