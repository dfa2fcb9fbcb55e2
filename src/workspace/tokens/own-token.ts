import { eq } from "drizzle-orm";
import { build, named, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { organizations, plans, requestsPerMinute } from "../organizations/tables.ts";
import { apiTokens } from "./tables.ts";

/** Finds what the API returns to a token about itself and its organization. */
export const findOwnToken = prepared((bind: Placeholders<{ tokenHash: string }>) =>
  rowOf(
    build
      .select({
        id: named(apiTokens.id, "id"),
        name: named(apiTokens.name, "name"),
        token_prefix: apiTokens.token_prefix,
        scopes: apiTokens.scopes,
        created_at: named(apiTokens.created_at, "created_at"),
        expires_at: apiTokens.expires_at,
        allowed_ips: apiTokens.allowed_ips,
        organizationId: named(organizations.id, "organizationId"),
        slug: organizations.slug,
        organizationName: named(organizations.name, "organizationName"),
        plan: organizations.plan,
        currency: organizations.currency,
        features: organizations.features,
        requests_per_minute: requestsPerMinute.as("requests_per_minute"),
      })
      .from(apiTokens)
      .innerJoin(organizations, eq(organizations.id, apiTokens.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .where(eq(apiTokens.token_hash, bind.tokenHash)),
  ),
);
