import { sql } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import { SignOff } from "../../contract/workspace/records.ts";
import { insertSelect } from "../../db/build.ts";
import { owned, records } from "../../db/records.ts";
import { signOffs, deliverables as table } from "../../db/schema/review.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { deliverableResource } from "./read-deliverables.ts";

const { find } = records(signOffs, SignOff.omit({ deliverable: true }), {});

/** Records a client's sign-off of the newest version. From then on the deliverable is terminal. */
export async function signOffDeliverable(
  context: AdminContext,
  { deliverable: of, signer_name }: { deliverable: string; signer_name: string },
): Promise<SignOff | Refusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const change = insertSelect(
    signOffs,
    {
      id,
      organization_id: organizationId,
      deliverable_id: of,
      version_number: sql`${table.version_number}`,
      signer_name,
    },
    sql`FROM ${table} WHERE ${owned(table, organizationId, of)}`,
  );
  const [record, deliverable] = await changeWithAudit(
    context,
    { action: "deliverable.signed_off", subjectId: of, details: { sign_off_id: id, signer_name } },
    change,
    [find(organizationId, id), deliverableResource.read(organizationId, of)],
  );
  return record && deliverable ? { ...record, deliverable } : noSuch("deliverable", of);
}
