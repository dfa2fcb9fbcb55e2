import { and, desc, eq, gt, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { build, named, type Placeholders, prepared, rowOf, rowsOf } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { batch } from "../../db/query.ts";
import { reviewKeys } from "../access/tables.ts";
import type { Review } from "../visits/review.ts";
import { reviewOpenings } from "./tables.ts";

/** A review's visitors, shown only to the workspace. */
export interface Openings {
  /** Newest first. */
  shown: readonly { versionNumber: number; visitor: string; createdAt: string }[];
  hasOlder: boolean;
  /** When the client's newest personal link expires; null if none is valid. */
  linkExpiresAt: string | null;
}

interface OfReview {
  organizationId: string;
  deliverableId: string;
  email: string;
}

const newest = prepared((bind: Placeholders<Omit<OfReview, "email">>) =>
  rowsOf(
    build
      .select({
        versionNumber: named(reviewOpenings.version_number, "versionNumber"),
        visitor: reviewOpenings.visitor,
        createdAt: named(reviewOpenings.created_at, "createdAt"),
      })
      .from(reviewOpenings)
      .where(
        and(
          eq(reviewOpenings.organization_id, bind.organizationId),
          eq(reviewOpenings.deliverable_id, bind.deliverableId),
        ),
      )
      .orderBy(desc(reviewOpenings.day), desc(reviewOpenings.version_number), desc(reviewOpenings.visitor))
      .limit(reviewLimits.shownOpenings + 1),
  ),
);

const personalLink = prepared((bind: Placeholders<OfReview>) =>
  rowOf(
    build
      .select({ expiresAt: sql<string | null>`max(${reviewKeys.expires_at})`.as("expiresAt") })
      .from(reviewKeys)
      .where(
        and(
          eq(reviewKeys.organization_id, bind.organizationId),
          eq(reviewKeys.deliverable_id, bind.deliverableId),
          eq(reviewKeys.attribution, "mailed_link"),
          gt(reviewKeys.expires_at, now),
          sql`${reviewKeys.email} = ${bind.email} COLLATE NOCASE`,
        ),
      ),
  ),
);

export async function findOpenings(
  db: D1Database,
  { organizationId, deliverableId, clientEmail }: Review,
): Promise<Openings> {
  const review = { organizationId, deliverableId };
  const [found, link] = await batch(db, [
    newest(review),
    personalLink({ ...review, email: clientEmail ?? "" }),
  ]);
  const shown = found
    .slice(0, reviewLimits.shownOpenings)
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  return {
    shown,
    hasOlder: found.length > shown.length,
    linkExpiresAt: link?.expiresAt ?? null,
  };
}
