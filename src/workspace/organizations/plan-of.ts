import { and, asc, eq, gte, sql } from "drizzle-orm";
import { mailCounts } from "../../core/mails/tables.ts";
import { build, rowOf, rowsOf } from "../../db/build.ts";
import { organizations, plans, requestsPerMinute } from "./tables.ts";

/** Today's e-mails for the whole workspace, which are counted under an empty address. */
const mailsToday = sql<number>`coalesce((SELECT ${mailCounts.mails} FROM ${mailCounts}
  WHERE ${mailCounts.organization_id} = ${organizations.id} AND ${mailCounts.day} = date('now')
    AND ${mailCounts.address} = ''), 0)`;

/** What a plan allows; null for unlimited. */
const allowed = {
  api_access: plans.api_access,
  requests_per_minute: plans.requests_per_minute,
  deliverable_cap: plans.deliverable_cap,
  records_cap: plans.records_cap,
  storage_mb: plans.storage_mb,
  mails_per_day: plans.mails_per_day,
};

/** Reads what an organization's plan allows, and how much of it is used. */
export const planOf = (organizationId: string) =>
  rowOf(
    build
      .select({
        plan: organizations.plan,
        features: organizations.features,
        deliverable_count: organizations.deliverable_count,
        record_count: organizations.record_count,
        storage_bytes: organizations.storage_bytes,
        ...allowed,
        requests_per_minute: requestsPerMinute.as("requests_per_minute"),
        mails_today: mailsToday.as("mails_today"),
      })
      .from(organizations)
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .where(eq(organizations.id, organizationId)),
  );

/**
 * Reads the e-mails per day, since a day, that count against the plan's daily limit (UTC). Days without e-mails are
 * left out.
 */
export const mailsSince = (organizationId: string, day: string) =>
  rowsOf(
    build
      .select({ day: mailCounts.day, mails: mailCounts.mails })
      .from(mailCounts)
      .where(
        and(
          eq(mailCounts.organization_id, organizationId),
          eq(mailCounts.address, ""),
          gte(mailCounts.day, day),
        ),
      ),
  );

/** Lists all plans, the smallest first. */
export const allPlans = () =>
  rowsOf(
    build
      .select({ name: plans.name, ...allowed })
      .from(plans)
      .orderBy(asc(plans.mails_per_day), asc(plans.name)),
  );
