import { and, eq, isNotNull, sql } from "drizzle-orm";
import { build, named, nullable, type Placeholders, prepared, rowOf, statement } from "../../db/build.ts";
import { isFenced } from "../../db/fencing.ts";
import type { Query } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { brands } from "../../workspace/brands/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { hasShareToken } from "../access/share-url.ts";
import { reviewKeys } from "../access/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { opensReview, type ReviewVisit } from "../visits/find-review.ts";

/** Finds a review's pending reminder for a visitor whose key opens the review; null without such a key. */
export const findReminders = prepared((bind: Placeholders<Omit<ReviewVisit, "before">>) =>
  rowOf(
    build
      .select({
        organizationId: named(deliverables.organization_id, "organizationId"),
        deliverableId: named(deliverables.id, "deliverableId"),
        workspace: named(organizations.name, "workspace"),
        title: named(deliverables.title, "title"),
        isMoving: sql<number>`${isFenced(deliverables.organization_id)}`.as("isMoving"),
        dueAt: nullable(deliverables.reminder_due_at, "dueAt"),
        accent: nullable(brands.accent, "accent"),
        logo_content_type: nullable(brands.logo_content_type, "logo_content_type"),
        logo_sha256: nullable(brands.logo_sha256, "logo_sha256"),
      })
      .from(deliverables)
      .innerJoin(organizations, eq(organizations.id, deliverables.organization_id))
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .innerJoin(reviewKeys, opensReview(bind.keyHash))
      .where(hasShareToken(bind.shareToken)),
  ),
);
export type Reminders = NonNullable<ReturnType<ReturnType<typeof findReminders>["read"]>>;

/** Cancels the pending reminder. The next send may schedule another one. */
export const stopReminders = ({
  organizationId,
  deliverableId,
}: Pick<Reminders, "organizationId" | "deliverableId">): Query<void> =>
  statement(
    build
      .update(deliverables)
      .set({ reminder_due_at: null })
      .where(
        and(
          eq(deliverables.id, deliverableId),
          eq(deliverables.organization_id, organizationId),
          isNotNull(deliverables.reminder_due_at),
        ),
      ),
  );
