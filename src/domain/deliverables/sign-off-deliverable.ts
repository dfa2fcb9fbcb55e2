import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { SignOff } from "../../contract/workspace/records.ts";
import { findById, run } from "../../db/query.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { deliverables } from "./read-deliverables.ts";

const insertSql = `
INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
SELECT ?, organization_id, id, version_number, ? FROM deliverables WHERE id = ? AND organization_id = ? RETURNING id`;

const findSignOff = findById<Omit<SignOff, "deliverable">>("sign_offs");

/** A client's sign-off of the newest version; from then on the deliverable is terminal. */
export async function signOffDeliverable(
  context: AdminContext,
  { deliverable: deliverableId, signer_name }: { deliverable: string; signer_name: string },
): Promise<SignOff | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "deliverable.signed_off",
    subjectId: deliverableId,
    details: { sign_off_id: id, signer_name },
    change: { sql: insertSql, params: [id, signer_name, deliverableId, organizationId] },
    read: findSignOff(organizationId, id),
  });
  const deliverable = await run(context.db, deliverables.read(organizationId, deliverableId));
  return record && deliverable ? { ...record, deliverable } : noSuch("deliverable", deliverableId);
}
