import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { build, named, rowsOf } from "../../db/build.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";

/** How many reminders a page shows at most. */
export const shownReminders = 50;

/** Finds a workspace's next reminders, using the index deliverables_to_remind_of. */
export const pendingReminders = (organizationId: string) =>
  rowsOf(
    build
      .select({
        title: deliverables.title,
        shareUrl: named(deliverables.share_url, "shareUrl"),
        client: named(clients.name, "client"),
        dueAt: sql<string>`${deliverables.reminder_due_at}`.as("dueAt"),
      })
      .from(deliverables)
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .where(and(eq(deliverables.organization_id, organizationId), isNotNull(deliverables.reminder_due_at)))
      .orderBy(asc(deliverables.reminder_due_at))
      .limit(shownReminders),
  );
