import { and, eq } from "drizzle-orm";
import { build, named, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { type Fence, fenceColumn } from "../../db/fencing.ts";
import { mapped, type Query } from "../../db/query.ts";
import { isAdmin } from "../members/members.ts";
import { members } from "../members/tables.ts";
import { organizations, plans, requestsPerMinute } from "../organizations/tables.ts";
import { isLiveToken } from "./organization-of.ts";
import { apiTokens } from "./tables.ts";

/** A token's identity: its organization, its scopes and what the plan allows. */
export interface Principal {
  tokenId: string;
  organizationId: string;
  organizationName: string;
  linkPrefix: string;
  currency: string;
  features: readonly string[];
  hasApiAccess: boolean;
  requestsPerMinute: number;
  scopes: readonly string[];
  fence: Fence;
  /** The addresses that the token may be used from; null for anywhere. */
  allowedIps: readonly string[] | null;
}

/** A token that writes. Its writes are attributed to the member who created it. */
export interface TokenActor extends Principal {
  kind: "token";
  /** The member's id. */
  id: string;
  /** Whether the member is still an admin. */
  isAdmin: boolean;
}

const principal = {
  tokenId: named(apiTokens.id, "tokenId"),
  organizationId: named(apiTokens.organization_id, "organizationId"),
  scopes: apiTokens.scopes,
  allowedIps: named(apiTokens.allowed_ips, "allowedIps"),
  organizationName: named(organizations.name, "organizationName"),
  linkPrefix: named(organizations.link_prefix, "linkPrefix"),
  currency: organizations.currency,
  features: organizations.features,
  hasApiAccess: named(plans.api_access, "hasApiAccess"),
  requestsPerMinute: requestsPerMinute.as("requestsPerMinute"),
  fence: fenceColumn(apiTokens.organization_id).as("fence"),
};
const token = { ...principal, id: members.id, role: members.role };

type OfToken = Placeholders<{ tokenHash: string }>;

const isValid = ({ tokenHash }: OfToken) => and(eq(apiTokens.token_hash, tokenHash), isLiveToken);

const principalOf = prepared((bind: OfToken) =>
  rowOf(
    build
      .select(principal)
      .from(apiTokens)
      .innerJoin(organizations, eq(organizations.id, apiTokens.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .where(isValid(bind)),
  ),
);

const tokenOf = prepared((bind: OfToken) =>
  rowOf(
    build
      .select(token)
      .from(apiTokens)
      .innerJoin(organizations, eq(organizations.id, apiTokens.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .innerJoin(members, eq(members.id, apiTokens.created_by))
      .where(isValid(bind)),
  ),
);

/** Finds a token's principal; null if the token is unknown, revoked or expired. */
export const findPrincipal = (tokenHash: string): Query<Principal | null> => principalOf({ tokenHash });

/** Also reads the creator, because a write requires that they are still an admin. */
export const findTokenActor = (tokenHash: string): Query<TokenActor | null> =>
  mapped(tokenOf({ tokenHash }), (found) => {
    if (found === null) return null;
    const { role, ...rest } = found;
    return { ...rest, kind: "token", isAdmin: isAdmin({ role }) };
  });
