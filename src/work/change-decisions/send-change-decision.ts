import { sql } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeWithAudit } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { insertSelect } from "../../db/build.ts";
import { owned, records } from "../../db/records.ts";
import { projects } from "../projects/tables.ts";
import { ChangeDecision } from "./record.ts";
import { changeDecisions } from "./tables.ts";

export const { find: findChangeDecision } = records(changeDecisions, ChangeDecision, {});

/** Sends a client a change decision to make or a milestone gate to pass. */
export async function sendChangeDecision(
  context: Context<Staff, "db">,
  { project, title, kind }: Pick<ChangeDecision, "title" | "kind"> & { project: string },
): Promise<ChangeDecision | Refusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const decision = { id, organization_id: organizationId, project_id: project, title, kind };
  const change = insertSelect(
    changeDecisions,
    { ...decision, status: "sent", created_by: context.actor.id },
    sql`FROM ${projects} WHERE ${owned(projects, organizationId, project)}`,
  );
  const [record] = await changeWithAudit(
    context,
    { action: "change_decision.sent", subjectId: id, details: { project_id: project, title, kind } },
    change,
    [findChangeDecision(organizationId, id)],
  );
  return record ?? noSuch("project", project);
}
