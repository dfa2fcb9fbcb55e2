import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { clientResource } from "./read-clients.ts";
import type { Client } from "./record.ts";
import { clients as table } from "./tables.ts";

/** Updates a client's columns. Null clears a column, and undefined leaves it unchanged. */
export async function updateClient(
  context: Context<Staff, "db">,
  id: string,
  changes: Partial<typeof table.$inferInsert> & { sample?: boolean },
): Promise<Client | Refusal> {
  const { sample, ...columns } = changes;
  const { record } = await changeRecord(context, table, id, {
    action: "client.updated",
    details: { fields: Object.keys(changes) },
    set: { ...columns, is_sample: sample },
    find: clientResource.read,
  });
  return record ?? noSuch("client", id);
}
