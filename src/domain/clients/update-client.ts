import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Client } from "../../contract/resources/client.ts";
import { clients as table } from "../../db/schema/work.ts";
import type { Staff } from "../actor.ts";
import { changeRecord } from "../audited-change.ts";
import type { Context } from "../context.ts";
import { clientResource } from "./read-clients.ts";

/** Changes columns of a client; null clears one, undefined leaves it as it is. */
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
