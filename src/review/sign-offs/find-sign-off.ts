import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { build, named, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import { hasShareToken } from "../access/share-url.ts";
import { reviewKeys } from "../access/tables.ts";
import { deliverables, deliverableVersions as versions } from "../deliverables/tables.ts";
import { opensReview, type ReviewVisit } from "../visits/find-review.ts";
import type { Certificate, SignOffFacts } from "./sign-off-facts.ts";
import { signOffs } from "./tables.ts";

/** The chain of versions as JSON, oldest first, read in the same trip. No version follows the signed one. */
const chain = sql<string>`(SELECT json_group_array(json_object('version_number', version_number, 'hash', hash,
  'created_at', created_at)) FROM (SELECT earlier.* FROM ${versions} AS earlier
    WHERE earlier.deliverable_id = ${signOffs.deliverable_id}
  AND earlier.organization_id = ${signOffs.organization_id} ORDER BY earlier.version_number))`;

/** Whether a visitor's key opens the review of the sign-off. */
const keyed = (keyHash: Placeholder) =>
  sql<number>`EXISTS (SELECT 1 FROM ${reviewKeys} JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
    WHERE ${opensReview(keyHash)})`;

/** Reads the row of a sign-off. What a row lacks because it is older comes from other rows, which never change. */
const select = (where: SQL | undefined, hasKey: SQL<number> = sql<number>`0`) =>
  rowOf(
    build
      .select({
        organizationId: named(signOffs.organization_id, "organizationId"),
        hasKey: hasKey.as("hasKey"),
        deliverable_id: named(signOffs.deliverable_id, "deliverable_id"),
        title: named(versions.title, "title"),
        version_number: named(signOffs.version_number, "version_number"),
        version_hash: named(versions.hash, "version_hash"),
        signer_name: named(signOffs.signer_name, "signer_name"),
        attribution: named(signOffs.attribution, "attribution"),
        consent: nullable(signOffs.consent, "consent"),
        consent_version: nullable(signOffs.consent_version, "consent_version"),
        signed_off_at: named(signOffs.created_at, "signed_off_at"),
        workspace: sql<string>`coalesce(${signOffs.workspace}, ${organizations.name})`.as("workspace"),
        version_chain: chain.as("version_chain"),
        ipAddress: nullable(signOffs.ip_address, "ipAddress"),
        userAgent: nullable(signOffs.user_agent, "userAgent"),
        erasedAt: nullable(signOffs.erased_at, "erasedAt"),
        assetPath: sql<string | null>`coalesce(${versions.asset_path}, ${deliverables.asset_path})`.as(
          "assetPath",
        ),
      })
      .from(signOffs)
      .innerJoin(deliverables, eq(deliverables.id, signOffs.deliverable_id))
      .innerJoin(organizations, eq(organizations.id, signOffs.organization_id))
      .innerJoin(
        versions,
        and(
          eq(versions.deliverable_id, signOffs.deliverable_id),
          eq(versions.organization_id, signOffs.organization_id),
          eq(versions.version_number, signOffs.version_number),
        ),
      )
      .where(where),
  );
type Found = NonNullable<ReturnType<ReturnType<typeof select>["read"]>>;

function toCertificate(found: Found): Certificate {
  const { organizationId, hasKey, ipAddress, userAgent, assetPath, erasedAt, ...more } = found;
  const { version_chain, workspace, ...rest } = more;
  const facts = {
    workspace,
    ...rest,
    version_chain: JSON.parse(version_chain) as SignOffFacts["version_chain"],
    ...(erasedAt !== null && { erased_at: erasedAt }),
  };
  return { facts, organizationId, hasKey: hasKey === 1, ipAddress, userAgent, hasImage: assetPath !== null };
}

const certificateOf = (query: Query<Found | null>): Query<Certificate | null> =>
  mapped(query, (found) => found && toCertificate(found));

/** The sign-off of a deliverable of the token's organization; null while it is open. */
export const findSignOff = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) =>
  certificateOf(
    select(
      and(
        eq(signOffs.deliverable_id, bind.id),
        eq(signOffs.organization_id, organizationOf(bind.tokenHash, "deliverable:read")),
      ),
    ),
  ),
);

/** The same for a reader who has the review's link. */
export const findCertificate = prepared((bind: Placeholders<ReviewVisit>) =>
  certificateOf(
    select(
      and(hasShareToken(bind.shareToken), eq(deliverables.organization_id, signOffs.organization_id)),
      keyed(bind.keyHash),
    ),
  ),
);
