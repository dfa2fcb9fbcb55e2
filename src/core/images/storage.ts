import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Image } from "../../contract/image-input.ts";
import { limits } from "../../contract/limits.ts";
import { build, statement } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import type { Asset } from "./asset.ts";
import { storedImages } from "./tables.ts";

/** The workspace's remaining image storage in bytes; NULL if unlimited. */
export const storageLeft: SQL<number | null> = sql<number | null>`${plans.storage_mb} * ${sql.raw(
  String(limits.bytesPerMegabyte),
)} - ${organizations.storage_bytes}`;

/** Whether the image exceeds the remaining storage. The database checks this again when the row is written. */
export const isOverStorage = (image: Image | undefined, leftBytes: number | null): boolean =>
  image !== undefined && leftBytes !== null && image.bytes.byteLength > leftBytes;

/**
 * Counts an image against the plan's storage. Belongs in the batch that writes the row referring to the image. A retry
 * does not count the image again.
 */
export const countImage = (organizationId: string, { path, bytes }: Asset): Query<void> =>
  statement(
    build
      .insert(storedImages)
      .values({ path, organization_id: organizationId, bytes: bytes.byteLength })
      .onConflictDoNothing(),
  );

/** Releases a removed image's storage. */
export const uncountImage = (organizationId: string, { path }: Asset): Query<void> =>
  statement(
    build
      .delete(storedImages)
      .where(and(eq(storedImages.path, path), eq(storedImages.organization_id, organizationId))),
  );
