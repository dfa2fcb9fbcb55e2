import { type AdminRefusal, noSuch } from "../../catalogue/admin-refusals.ts";
import type { SignOff } from "../../catalogue/workspace/records.ts";
import { findById, run } from "../../db/query.ts";
import { type Acting, act } from "../acting.ts";
import { readDeliverable } from "./read-deliverables.ts";

const insertSql = `
INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
SELECT ?, organization_id, id, version_number, ? FROM deliverables WHERE id = ? AND organization_id = ? RETURNING id`;

const findSignOff = findById<Omit<SignOff, "deliverable">>("sign_offs");

/** A client's sign-off of the newest version; from then on the deliverable is terminal. */
export async function signOffDeliverable(
  acting: Acting,
  { deliverable: deliverableId, signer_name }: { deliverable: string; signer_name: string },
): Promise<SignOff | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = acting.organization.id;
  const { record } = await act(acting, {
    action: "deliverable.signed_off",
    subjectId: deliverableId,
    details: { sign_off_id: id, signer_name },
    change: { sql: insertSql, params: [id, signer_name, deliverableId, organizationId] },
    read: findSignOff(organizationId, id),
  });
  const deliverable = await run(acting.db, readDeliverable(organizationId, deliverableId));
  return record && deliverable ? { ...record, deliverable } : noSuch("deliverable", deliverableId);
}
