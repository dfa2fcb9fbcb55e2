import { eq, type SQL, sql } from "drizzle-orm";
import type { Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { auditColumns, recordOnce } from "../../core/audit-log/audited-change.ts";
import { withBeforeAndAfter } from "../../core/audit-log/before-and-after.ts";
import { auditLog } from "../../core/audit-log/tables.ts";
import type { Context } from "../../core/context.ts";
import { build, insertSelect, statement } from "../../db/build.ts";
import { required, run, runLast } from "../../db/query.ts";
import { unknownPlan } from "./create-organization.ts";
import { findOrganization } from "./organization.ts";
import type { Organization, SoldOrganization } from "./record.ts";
import { roomWarning } from "./room-warning.ts";
import { organizations } from "./tables.ts";

/** Moves the workspace to another plan. Triggers hold or release its webhook deliveries. */
export async function setPlan(
  context: Context<Staff, "db">,
  plan: string,
): Promise<SoldOrganization | Refusal> {
  const { db } = context.services;
  const refusal = await unknownPlan(db, plan);
  if (refusal) return refusal;
  return withRoomWarning(db, await change(context, { plan }, "plan_set", {}));
}

export async function soldOrganization(db: D1Database, id: string): Promise<SoldOrganization | null> {
  const organization = await run(db, findOrganization(id));
  return organization && withRoomWarning(db, organization);
}

const withRoomWarning = async (db: D1Database, organization: Organization): Promise<SoldOrganization> => ({
  ...organization,
  room_warning: await roomWarning(db),
});

/** Enables or disables a feature for the workspace, without overwriting concurrent changes to other features. */
export function setFeature(
  context: Context<Staff, "db">,
  feature: string,
  enabled: boolean,
): Promise<Organization> {
  const others = sql`SELECT value FROM json_each(${organizations.features}) WHERE value <> ${feature}`;
  const wanted = enabled ? sql`${others} UNION ALL SELECT ${feature}` : others;
  const features = sql`(SELECT json_group_array(value) FROM (${wanted}))`;
  return change(context, { features }, "feature_set", { feature, enabled });
}

/** Sets the status that sending gives a deliverable; null for none. */
export const setOnSendStatus = (context: Context<Staff, "db">, label: string | null): Promise<Organization> =>
  change(context, { on_send_status_label: label }, "on_send_status_set", {});

/** Sets a custom limit of requests per minute for the workspace; null for its plan's limit. */
export const setLimit = (
  context: Context<Staff, "db">,
  requests_per_minute: number | null,
): Promise<Organization> => change(context, { requests_per_minute }, "limit_set", {});

/** Sets how many days after a future send clients are reminded; 0 for no reminders. */
export const setReminders = (context: Context<Staff, "db">, reminder_days: number): Promise<Organization> =>
  change(context, { reminder_days }, "reminders_set", {});

async function change(
  context: Context<Staff, "db">,
  values:
    | { plan: string }
    | { features: SQL }
    | { on_send_status_label: string | null }
    | { requests_per_minute: number | null }
    | { reminder_days: number },
  action: string,
  details: Record<string, unknown>,
): Promise<Organization> {
  const { id } = context.organization;
  const entry = {
    ...auditColumns(context),
    subject_id: id,
    action: `organization.${action}`,
    details: withBeforeAndAfter(organizations, values, details),
  };
  return runLast(context.services.db, [
    statement(insertSelect(auditLog, entry, sql`FROM ${organizations} WHERE ${eq(organizations.id, id)}`)),
    ...recordOnce(context, { action: entry.action, subjectId: id }),
    statement(build.update(organizations).set(values).where(eq(organizations.id, id))),
    required(findOrganization(id)),
  ]);
}
