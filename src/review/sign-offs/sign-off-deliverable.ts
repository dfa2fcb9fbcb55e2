import { and, eq, lte, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import type { LedgerEntry } from "../../core/ledger/ledger.ts";
import { insertSelect } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { owned, records } from "../../db/records.ts";
import { newId } from "../../platform/new-id.ts";
import { clients } from "../../work/clients/tables.ts";
import { reviewKeys } from "../access/tables.ts";
import { changeInReview } from "../deliverables/change-in-review.ts";
import { deliverableResource } from "../deliverables/read-deliverables.ts";
import type { Deliverable } from "../deliverables/record.ts";
import { deliverables as table } from "../deliverables/tables.ts";
import { opensReview } from "../visits/find-review.ts";
import { signOffAccess } from "../visits/review.ts";
import type { ReviewClient } from "../visits/review-client.ts";
import { consentText, consentVersion } from "./consent.ts";
import { RecordedSignOff } from "./record.ts";
import { signOffs } from "./tables.ts";

const { find } = records(signOffs, RecordedSignOff.omit({ deliverable: true }), {});

/**
 * Signs off the newest version, which makes the deliverable final. A client must have proved access to the mailbox
 * and seen the newest version with all its change requests.
 */
export async function signOffDeliverable(
  context: Context<Staff | ReviewClient, "db">,
  { deliverable: of, signer_name }: { deliverable: string; signer_name: string },
): Promise<RecordedSignOff | Refusal> {
  const { actor } = context;
  const organizationId = context.organization.id;
  const id = newId();
  const signature = {
    id,
    organization_id: organizationId,
    deliverable_id: of,
    version_number: sql`${table.version_number}`,
    signer_name,
  };
  const isOpen = and(owned(table, organizationId, of), eq(table.current_state, "open"));
  const insert =
    actor.kind === "client"
      ? insertSelect(
          signOffs,
          { ...signature, ...proofOf(actor) },
          sql`FROM ${table} JOIN ${clients} ON ${eq(clients.id, table.client_id)}
            JOIN ${reviewKeys} ON ${opensReview(actor.keyHash)} WHERE ${and(isOpen, isUnchangedSinceSeen(actor))}`,
        )
      : insertSelect(signOffs, signature, sql`FROM ${table} WHERE ${isOpen}`);
  const [record, deliverable] = await changeInReview(
    context,
    { action: "deliverable.signed_off", subjectId: of, details: { sign_off_id: id, signer_name } },
    { id, insert },
    [find(organizationId, id), deliverableResource.read(organizationId, of)],
  );
  if (!deliverable) return noSuch("deliverable", of);
  if (record) return { ...record, deliverable };
  return actor.kind === "client" ? whyNot(actor, deliverable) : refuse("deliverable_signed_off");
}

/** Finds the sign-off that the entry's call recorded, and the deliverable's current state. */
export async function signOffOfEntry(
  { services, organization }: Context<Staff, "db">,
  { subjectId, details }: LedgerEntry,
): Promise<RecordedSignOff | null> {
  const [record, deliverable] = await batch(services.db, [
    find(organization.id, String(details.sign_off_id)),
    deliverableResource.read(organization.id, subjectId),
  ]);
  return record && deliverable && { ...record, deliverable };
}

/** Returns how the signer was identified, what they agreed to and where they came from. */
const proofOf = ({ review, seen, ipAddress, userAgent }: ReviewClient) => ({
  attribution: sql`${reviewKeys.attribution}`,
  consent: consentText(review.title, seen.versionNumber, review.workspace),
  consent_version: consentVersion,
  ip_address: ipAddress,
  user_agent: userAgent,
});

const isUnchangedSinceSeen = ({ seen: { versionNumber, changeRequests } }: ReviewClient) =>
  and(
    eq(table.version_number, versionNumber),
    sql`NOT (${table.is_sample} OR ${clients.is_sample})`,
    lte(table.change_request_count, changeRequests),
  );

/** Returns why a client's signature was refused, based on the deliverable's current state. */
function whyNot({ review, seen }: ReviewClient, { current_state, version_number }: Deliverable): Refusal {
  if (current_state === "signed_off") return refuse("deliverable_signed_off");
  switch (signOffAccess(review)) {
    case "signed_off":
      return refuse("deliverable_signed_off");
    case "no_address":
      return refuse("nobody_to_sign_off");
    case "confirm_address":
      return refuse("address_not_confirmed");
    case "allowed":
      return refuse(version_number === seen.versionNumber ? "changes_requested" : "newer_version");
  }
}
