import type { AdminRefusal } from "../../catalogue/admin-refusals.ts";
import type { Organization } from "../../catalogue/workspace/organization.ts";
import { type Acting, act } from "../acting.ts";
import { unknownPlan } from "./create-organization.ts";
import { findOrganization } from "./organization.ts";

/** Moves the workspace to another plan. Triggers hold or release its webhook deliveries. */
export async function setPlan(acting: Acting, plan: string): Promise<Organization | AdminRefusal> {
  const refusal = await unknownPlan(acting.db, plan);
  if (refusal) return refusal;
  const previous = acting.organization.plan;
  return change(acting, "plan = ?1", plan, "organization.plan_set", { plan, previous });
}

/** Switches a feature of the workspace on or off. */
export async function setFeature(
  acting: Acting,
  feature: string,
  enabled: boolean,
): Promise<Organization | AdminRefusal> {
  const others = "SELECT value FROM json_each(features) WHERE value <> ?1";
  const wanted = enabled ? `${others} UNION ALL SELECT ?1` : others;
  const assignment = `features = (SELECT json_group_array(value) FROM (${wanted}))`;
  return change(acting, assignment, feature, "organization.feature_set", { feature, enabled });
}

/** Flags a status as the one that a send moves a deliverable to; null flags none. */
export const setOnSendStatus = (acting: Acting, label: string | null): Promise<Organization> =>
  change(acting, "on_send_status_label = ?1", label, "organization.on_send_status_set", { label });

async function change(
  acting: Acting,
  assignment: string,
  value: unknown,
  action: string,
  details: Record<string, unknown>,
): Promise<Organization> {
  const { id } = acting.organization;
  const sql = `UPDATE organizations SET ${assignment} WHERE id = ?2 RETURNING id`;
  const { record } = await act(acting, {
    action,
    subjectId: id,
    details,
    change: { sql, params: [value, id] },
    read: findOrganization(id),
  });
  if (!record) throw new Error("an organization that was just read was not found");
  return record;
}
