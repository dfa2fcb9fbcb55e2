import { and, eq, sql } from "drizzle-orm";
import { build, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { hasShareToken } from "../access/share-url.ts";
import { deliverables, deliverableVersions as versions } from "../deliverables/tables.ts";

/**
 * Where the image of a version is stored. An image from the legacy route belongs to the deliverable, as long as the
 * version is its newest.
 */
export const findImage = prepared((bind: Placeholders<{ shareToken: string; versionNumber: number }>) =>
  rowOf(
    build
      .select({
        path: sql<string | null>`coalesce(${versions.asset_path},
          iif(${versions.version_number} = ${deliverables.version_number}, ${deliverables.asset_path}, NULL))`.as(
          "path",
        ),
      })
      .from(deliverables)
      .innerJoin(
        versions,
        and(
          eq(versions.deliverable_id, deliverables.id),
          eq(versions.organization_id, deliverables.organization_id),
          eq(versions.version_number, bind.versionNumber),
        ),
      )
      .where(hasShareToken(bind.shareToken)),
  ),
);
