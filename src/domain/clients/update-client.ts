import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Client } from "../../contract/resources/client.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { clients as table } from "../../db/schema/work.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { clients } from "./read-clients.ts";

type ClientChanges = Partial<Omit<typeof table.$inferInsert, "is_sample">> & { sample?: boolean };

/** Changes columns of a client; null clears one, undefined leaves it as it is. */
export async function updateClient(
  context: AdminContext,
  id: string,
  changes: ClientChanges,
): Promise<Client | AdminRefusal> {
  const organizationId = context.organization.id;
  const { sample, ...columns } = changes;
  const { record } = await changeWithAudit(context, {
    action: "client.updated",
    subjectId: id,
    details: { fields: Object.keys(changes) },
    change: build
      .update(table)
      .set({ ...columns, is_sample: sample })
      .where(owned(table, organizationId, id))
      .returning({ id: table.id }),
    read: clients.read(organizationId, id),
  });
  return record ?? noSuch("client", id);
}
