import { and, eq } from "drizzle-orm";
import { build, rowOf } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import type { Brand } from "./record.ts";
import { brands } from "./tables.ts";

/** Finds a workspace's brand; null if it has never set one. */
export const findBrand = (organizationId: string): Query<Brand | null> =>
  rowOf(
    build
      .select({
        id: brands.id,
        accent: brands.accent,
        logo_content_type: brands.logo_content_type,
        logo_sha256: brands.logo_sha256,
        link_previews: brands.link_previews,
        updated_at: brands.updated_at,
      })
      .from(brands)
      .where(eq(brands.organization_id, organizationId)),
  );

/** Finds the logo with this digest, if it is the workspace's current one. */
export const findLogo = (organizationId: string, sha256: string) =>
  rowOf(
    build
      .select({ logo: brands.logo, logo_content_type: brands.logo_content_type })
      .from(brands)
      .where(and(eq(brands.organization_id, organizationId), eq(brands.logo_sha256, sha256))),
  );
