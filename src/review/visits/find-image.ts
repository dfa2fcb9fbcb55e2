import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { build, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { brands, showsPreviews } from "../../workspace/brands/tables.ts";
import { hasShareToken } from "../access/share-url.ts";
import { deliverables, deliverableVersions as versions } from "../deliverables/tables.ts";

/**
 * The path of a version's image. After a legacy create, the image is stored on the deliverable and belongs to its
 * newest version.
 */
export const imageOfVersion = sql<string | null>`coalesce(${versions.asset_path},
  iif(${versions.version_number} = ${deliverables.version_number}, ${deliverables.asset_path}, NULL))`;

/** An image's path, if e-mails and link previews may show it. The query must join the workspace's brand. */
export const previewPath = (path: SQLWrapper) => sql<string | null>`iif(${showsPreviews}, ${path}, NULL)`;

export const findImage = prepared((bind: Placeholders<{ shareToken: string; versionNumber: number }>) =>
  rowOf(
    build
      .select({
        path: imageOfVersion.as("path"),
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

/** Finds the newest version's image. Null if it has none, or if the workspace does not show previews. */
export const findPreview = prepared((bind: Placeholders<{ shareToken: string }>) =>
  rowOf(
    build
      .select({ path: previewPath(deliverables.asset_path).as("path") })
      .from(deliverables)
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
      .where(hasShareToken(bind.shareToken)),
  ),
);
