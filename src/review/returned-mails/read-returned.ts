import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { build, named, rowsOf } from "../../db/build.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";

/** The maximum number of e-mails that a page shows. */
export const maxReturnedShown = 10;

/** Finds reviews whose e-mail bounced, most recently changed first, using the index deliverables_with_problem. */
export const returnedDeliverables = (organizationId: string, clientId?: string) =>
  rowsOf(
    build
      .select({
        id: deliverables.id,
        title: deliverables.title,
        shareUrl: named(deliverables.share_url, "shareUrl"),
        clientId: named(deliverables.client_id, "clientId"),
        clientName: named(clients.name, "clientName"),
        problem: sql<
          NonNullable<typeof deliverables.$inferSelect.delivery_problem>
        >`${deliverables.delivery_problem}`
          .mapWith(deliverables.delivery_problem)
          .as("problem"),
      })
      .from(deliverables)
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .where(
        and(
          eq(deliverables.organization_id, organizationId),
          isNotNull(deliverables.delivery_problem),
          clientId === undefined ? undefined : eq(deliverables.client_id, clientId),
        ),
      )
      .orderBy(desc(deliverables.updated_at))
      .limit(maxReturnedShown),
  );
export type ReturnedDeliverable = ReturnType<ReturnType<typeof returnedDeliverables>["read"]>[number];
