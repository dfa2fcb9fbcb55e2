import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Client } from "../../contract/resources/client.ts";
import { assignments } from "../assignments.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { clients } from "./read-clients.ts";

/** What may be changed of a client; null clears, undefined leaves as it is. */
export interface ClientChanges {
  company_name?: string | null;
  client_name?: string | null;
  email?: string | null;
  external_id?: string | null;
  status?: Client["status"];
  sample?: boolean;
}

export async function updateClient(
  context: AdminContext,
  id: string,
  { sample, ...changes }: ClientChanges,
): Promise<Client | AdminRefusal> {
  const organizationId = context.organization.id;
  const { sql, params } = assignments({
    ...changes,
    is_sample: sample === undefined ? undefined : Number(sample),
  });
  const { record } = await changeWithAudit(context, {
    action: "client.updated",
    subjectId: id,
    details: { fields: Object.keys({ ...changes, ...(sample === undefined ? {} : { sample }) }) },
    change: {
      sql: `UPDATE clients SET ${sql} WHERE id = ? AND organization_id = ? RETURNING id`,
      params: [...params, id, organizationId],
    },
    read: clients.read(organizationId, id),
  });
  return record ?? noSuch("client", id);
}
