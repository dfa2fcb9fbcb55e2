import { sql } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeWithAudit } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { insertSelect } from "../../db/build.ts";
import { owned, records } from "../../db/records.ts";
import { RevisionOverride } from "./record.ts";
import { projects, revisionOverrides } from "./tables.ts";

export const { find: findRevisionOverride } = records(revisionOverrides, RevisionOverride, {});

/** Grants a project additional revision rounds. */
export async function recordRevisionOverride(
  context: Context<Staff, "db">,
  { project, rounds, reason }: Pick<RevisionOverride, "rounds" | "reason"> & { project: string },
): Promise<RevisionOverride | Refusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const override = { id, organization_id: organizationId, project_id: project, rounds, reason };
  const change = insertSelect(
    revisionOverrides,
    { ...override, created_by: context.actor.id },
    sql`FROM ${projects} WHERE ${owned(projects, organizationId, project)}`,
  );
  const [record] = await changeWithAudit(
    context,
    {
      action: "project.revision_override_recorded",
      subjectId: project,
      details: { override_id: id, rounds, reason },
    },
    change,
    [findRevisionOverride(organizationId, id)],
  );
  return record ?? noSuch("project", project);
}
