import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { build, named, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { isComplete } from "../../db/fencing.ts";
import { mapped, type Query } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { brands } from "../../workspace/brands/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import { hasShareToken, shareToken } from "../access/share-url.ts";
import { reviewKeys } from "../access/tables.ts";
import {
  deliverables,
  deliverableSends as sends,
  deliverableVersions as versions,
} from "../deliverables/tables.ts";
import { feedback } from "../feedback/tables.ts";
import { opensReview, type ReviewVisit } from "../visits/find-review.ts";
import type { Certificate, SignOffFacts, SignOffStep } from "./sign-off-facts.ts";
import { signOffs } from "./tables.ts";

/**
 * The version chain as JSON, oldest first. It ends with the signed version, because no further version can be added.
 */
const chain = sql<string>`(SELECT json_group_array(json_object('version_number', version_number, 'hash', hash,
  'created_at', created_at)) FROM (SELECT earlier.* FROM ${versions} AS earlier
    WHERE earlier.deliverable_id = ${signOffs.deliverable_id}
  AND earlier.organization_id = ${signOffs.organization_id} ORDER BY earlier.version_number))`;

/** How many steps a page shows, and how many comments are searched for them. */
const shownSteps = 12;
const scannedFeedback = 200;

/** When each version was first sent, and who asked for changes, as JSON, newest first. */
const steps = sql<string>`(SELECT json_group_array(json_object('kind', kind, 'at', at,
  'versionNumber', version_number, 'name', name)) FROM (SELECT * FROM (
    SELECT 'sent' AS kind, min(sent_at) AS at, version_number, NULL AS name FROM ${sends} AS sent
      WHERE sent.deliverable_id = ${signOffs.deliverable_id} AND sent.organization_id = ${signOffs.organization_id}
      GROUP BY version_number
    UNION ALL SELECT kind, created_at, version_number, author_name FROM (SELECT * FROM ${feedback} AS said
      WHERE said.deliverable_id = ${signOffs.deliverable_id} AND said.organization_id = ${signOffs.organization_id}
      ORDER BY said.created_at DESC LIMIT ${sql.raw(String(scannedFeedback))}) WHERE kind = 'change_request'
  ) ORDER BY at DESC LIMIT ${sql.raw(String(shownSteps))}))`;

/** Whether a visitor's key opens the sign-off's review. */
const keyed = (keyHash: Placeholder) =>
  sql<number>`EXISTS (SELECT 1 FROM ${reviewKeys} JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
    WHERE ${opensReview(keyHash)})`;

const row = {
  id: named(signOffs.id, "id"),
  organizationId: named(signOffs.organization_id, "organizationId"),
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
  asset_sha256: named(versions.asset_sha256, "asset_sha256"),
  accent: nullable(brands.accent, "accent"),
  logo_content_type: nullable(brands.logo_content_type, "logo_content_type"),
  logo_sha256: nullable(brands.logo_sha256, "logo_sha256"),
  clientName: named(clients.name, "clientName"),
  projectName: nullable(projects.name, "projectName"),
  ipAddress: nullable(signOffs.ip_address, "ipAddress"),
  userAgent: nullable(signOffs.user_agent, "userAgent"),
  erasedAt: nullable(signOffs.erased_at, "erasedAt"),
  assetPath: sql<string | null>`coalesce(${versions.asset_path}, ${deliverables.asset_path})`.as("assetPath"),
};

/** Reads a sign-off. Fields that are missing in older rows come from other rows, which never change. */
const select = (where: SQL | undefined, { hasKey, steps }: { hasKey: SQL<number>; steps: SQL<string> }) =>
  rowOf(
    build
      .select({ ...row, hasKey: hasKey.as("hasKey"), steps: steps.as("steps") })
      .from(signOffs)
      .innerJoin(deliverables, eq(deliverables.id, signOffs.deliverable_id))
      .innerJoin(organizations, eq(organizations.id, signOffs.organization_id))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
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
  const { id, organizationId, hasKey, ipAddress, userAgent, assetPath, erasedAt, ...rested } = found;
  const {
    clientName,
    projectName,
    steps: stepsJson,
    accent,
    logo_content_type,
    logo_sha256,
    ...more
  } = rested;
  const { version_chain, workspace, ...rest } = more;
  const facts = {
    workspace,
    ...rest,
    version_chain: JSON.parse(version_chain) as SignOffFacts["version_chain"],
    ...(erasedAt !== null && { erased_at: erasedAt }),
  };
  const shown = { clientName, projectName, steps: (JSON.parse(stepsJson) as SignOffStep[]).toReversed() };
  return {
    id,
    facts,
    organizationId,
    brand: { organization_id: organizationId, accent, logo_content_type, logo_sha256 },
    hasKey: hasKey === 1,
    ipAddress,
    userAgent,
    hasImage: assetPath !== null,
    ...shown,
  };
}

const certificateOf = (query: Query<Found | null>): Query<Certificate | null> =>
  mapped(query, (found) => found && toCertificate(found));

/** Finds a deliverable's sign-off in the token's organization. Null if the deliverable is not signed off. */
export const findSignOff = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) =>
  certificateOf(
    select(
      and(
        eq(signOffs.deliverable_id, bind.id),
        eq(signOffs.organization_id, organizationOf(bind.tokenHash, "deliverable:read")),
      ),
      { hasKey: sql<number>`0`, steps: sql<string>`'[]'` },
    ),
  ),
);

const ofSameOrganization = eq(deliverables.organization_id, signOffs.organization_id);

/** Finds a sign-off for a reader with the review's link. */
export const findCertificate = prepared((bind: Placeholders<ReviewVisit>) =>
  certificateOf(
    select(and(hasShareToken(bind.shareToken), ofSameOrganization), {
      hasKey: keyed(bind.keyHash),
      steps,
    }),
  ),
);

/** Finds a sign-off for someone with the printed certificate, who has only its URL. */
export const findPrintedCertificate = prepared((bind: Placeholders<{ id: string }>) =>
  certificateOf(
    select(and(eq(signOffs.id, bind.id), ofSameOrganization, isComplete(signOffs.organization_id)), {
      hasKey: sql<number>`0`,
      steps: sql<string>`'[]'`,
    }),
  ),
);

export const findSignedVersion = prepared((bind: Placeholders<{ deliverableId: string }>) =>
  rowOf(
    build
      .select({
        organizationId: named(signOffs.organization_id, "organizationId"),
        shareToken: shareToken.as("shareToken"),
        versionNumber: named(signOffs.version_number, "versionNumber"),
      })
      .from(signOffs)
      .innerJoin(
        deliverables,
        and(
          eq(deliverables.id, signOffs.deliverable_id),
          eq(deliverables.organization_id, signOffs.organization_id),
        ),
      )
      .where(and(eq(signOffs.deliverable_id, bind.deliverableId), isComplete(signOffs.organization_id))),
  ),
);
