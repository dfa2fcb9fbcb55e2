import type { AdminRefusal } from "../../contract/admin-refusals.ts";
import type { Organization } from "../../contract/workspace/organization.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { unknownPlan } from "./create-organization.ts";
import { findOrganization } from "./organization.ts";

/** Moves the workspace to another plan. Triggers hold or release its webhook deliveries. */
export async function setPlan(context: AdminContext, plan: string): Promise<Organization | AdminRefusal> {
  const refusal = await unknownPlan(context.db, plan);
  if (refusal) return refusal;
  const previous = context.organization.plan;
  return change(context, "plan = ?1", plan, "organization.plan_set", { plan, previous });
}

/** Switches a feature of the workspace on or off. */
export async function setFeature(
  context: AdminContext,
  feature: string,
  enabled: boolean,
): Promise<Organization | AdminRefusal> {
  const others = "SELECT value FROM json_each(features) WHERE value <> ?1";
  const wanted = enabled ? `${others} UNION ALL SELECT ?1` : others;
  const assignment = `features = (SELECT json_group_array(value) FROM (${wanted}))`;
  return change(context, assignment, feature, "organization.feature_set", { feature, enabled });
}

/** Flags a status as the one that a send moves a deliverable to; null flags none. */
export const setOnSendStatus = (context: AdminContext, label: string | null): Promise<Organization> =>
  change(context, "on_send_status_label = ?1", label, "organization.on_send_status_set", { label });

async function change(
  context: AdminContext,
  assignment: string,
  value: unknown,
  action: string,
  details: Record<string, unknown>,
): Promise<Organization> {
  const { id } = context.organization;
  const sql = `UPDATE organizations SET ${assignment} WHERE id = ?2 RETURNING id`;
  const { record } = await changeWithAudit(context, {
    action,
    subjectId: id,
    details,
    change: { sql, params: [value, id] },
    read: findOrganization(id),
  });
  if (!record) throw new Error("an organization that was just read was not found");
  return record;
}
