import { and, asc, eq, type Placeholder, sql } from "drizzle-orm";
import { answerOf } from "../../db/answer.ts";
import { build, type Placeholders, prepared, row, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import { deliverables, deliverableVersions as versions } from "./tables.ts";
import { Version } from "./version.ts";

const { selection, read } = answerOf(versions, Version, {});

type OfDeliverable = { tokenHash: string; id: string };

/** Matches the deliverable in the path if it belongs to the token's organization. */
const isDeliverable = (bind: Record<keyof OfDeliverable, Placeholder>) =>
  and(
    eq(deliverables.id, bind.id),
    eq(deliverables.organization_id, organizationOf(bind.tokenHash, "deliverable:read")),
  );

const ofDeliverable = and(
  eq(versions.deliverable_id, deliverables.id),
  eq(versions.organization_id, deliverables.organization_id),
);

/** Where a page of versions starts, and the earliest creation time. */
type VersionPage = OfDeliverable & { from: number; since: string; limit: number };

const findPage = prepared((bind: Placeholders<VersionPage>) => {
  const onPage = sql`${versions.version_number} >= ${bind.from} AND ${versions.created_at} >= ${bind.since}`;
  return rows(
    selection,
    build
      .select(selection)
      .from(deliverables)
      .leftJoin(versions, and(ofDeliverable, onPage))
      .where(isDeliverable(bind))
      .orderBy(asc(versions.version_number))
      .limit(bind.limit),
  );
});

/** Reads the versions starting at a number; null if the organization has no such deliverable. */
export const versionsPage = (page: VersionPage): Query<Version[] | null> =>
  mapped(findPage(page), (found) =>
    // A deliverable without matching versions returns a single row of nulls.
    found.length === 0 ? null : found.filter(({ id }) => id !== null).map(read),
  );

/** Finds one version by number; null if it does not exist. */
export const findVersion = prepared((bind: Placeholders<OfDeliverable & { number: number }>) => {
  const found = build
    .select(selection)
    .from(deliverables)
    .innerJoin(versions, and(ofDeliverable, eq(versions.version_number, bind.number)))
    .where(isDeliverable(bind));
  return mapped(row(selection, found), (version) => version && read(version));
});

/** Reads one version of an organization's deliverable. */
export const readVersion = prepared(
  (bind: Placeholders<{ organizationId: string; deliverableId: string; number: number }>) => {
    const where = and(
      eq(versions.deliverable_id, bind.deliverableId),
      eq(versions.organization_id, bind.organizationId),
      eq(versions.version_number, bind.number),
    );
    return mapped(
      row(selection, build.select(selection).from(versions).where(where)),
      (version) => version && read(version),
    );
  },
);
