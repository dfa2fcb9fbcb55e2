import { type AdminRefusal, noSuch } from "../../catalogue/admin-refusals.ts";
import type { SignOff } from "../../catalogue/workspace/records.ts";
import type { Query } from "../../db/query.ts";
import { type Acting, act } from "../acting.ts";

const insertSql = `
INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
SELECT ?, organization_id, id, version_number, ? FROM deliverables WHERE id = ? AND organization_id = ? RETURNING id`;

const findSignOff = (organizationId: string, id: string): Query<SignOff | null> => ({
  sql: "SELECT * FROM sign_offs WHERE id = ? AND organization_id = ?",
  params: [id, organizationId],
  read: ([row]) => (row as SignOff | undefined) ?? null,
});

/** A client's sign-off of the newest version; from then on the deliverable is terminal. */
export async function signOffDeliverable(
  acting: Acting,
  { deliverable, signer_name }: { deliverable: string; signer_name: string },
): Promise<SignOff | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = acting.organization.id;
  const { record } = await act(acting, {
    action: "deliverable.signed_off",
    subjectId: deliverable,
    details: { sign_off_id: id, signer_name },
    change: { sql: insertSql, params: [id, signer_name, deliverable, organizationId] },
    read: findSignOff(organizationId, id),
  });
  return record ?? noSuch("deliverable", deliverable);
}
