import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { moreRecordsOf, scopeRequestEvidence } from "../schema/review.ts";
import {
  allowedOrigins,
  apiTokens,
  invitations,
  members,
  organizations,
  plans,
} from "../schema/workspace.ts";
import { after, raise, type Statement } from "../trigger.ts";

/** Room of a workspace: what is counted is declared beside the tables. */
export const roomTriggers: readonly Statement[] = [
  // An erased message is short.
  after(scopeRequestEvidence, ["content", "metadata"], "recounted", ({ NEW, OLD }) => ({
    when: sql`${moreRecordsOf(NEW)} <> ${moreRecordsOf(OLD)}`,
    do: sql`UPDATE ${organizations} SET record_count = record_count - ${moreRecordsOf(OLD)} + ${moreRecordsOf(NEW)}
      WHERE id = ${NEW.organization_id}`,
  })),
  // A workspace that is over its room, since its plan became smaller, keeps what it has.
  after(organizations, ["record_count"], "records_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.record_count} > ${OLD.record_count}`,
    do: raise(
      "plan_records_cap",
      sql`FROM ${plans} WHERE name = ${NEW.plan} AND ${NEW.record_count} > records_cap`,
    ),
  })),
  after(organizations, ["storage_bytes"], "storage_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.storage_bytes} > ${OLD.storage_bytes}`,
    do: raise(
      "plan_storage_cap",
      sql`FROM ${plans}
        WHERE name = ${NEW.plan} AND ${NEW.storage_bytes} > storage_mb * ${limits.bytesPerMegabyte}`,
    ),
  })),
  after(members, "INSERT", "room", ({ NEW }) => ({
    when: sql`${NEW.role} <> 'none'`,
    do: tooManyPeople(NEW),
  })),
  after(members, ["role"], "room_again", ({ NEW, OLD }) => ({
    when: sql`${OLD.role} = 'none' AND ${NEW.role} <> 'none'`,
    do: tooManyPeople(NEW),
  })),
  after(invitations, "INSERT", "room", ({ NEW }) => ({ do: tooManyPeople(NEW) })),
  after(invitations, ["accepted_at"], "room_again", ({ NEW }) => ({
    when: sql`${NEW.accepted_at} IS NULL`,
    do: tooManyPeople(NEW),
  })),
  after(apiTokens, "INSERT", "room", ({ NEW }) => ({
    when: sql`${NEW.revoked_at} IS NULL`,
    do: raise(
      "too_many_tokens",
      sql`WHERE (SELECT count(*) FROM ${apiTokens}
        WHERE organization_id = ${NEW.organization_id} AND revoked_at IS NULL) > ${limits.liveTokens}`,
    ),
  })),
  after(allowedOrigins, "INSERT", "room", ({ NEW }) => ({
    do: raise(
      "too_many_origins",
      sql`WHERE (SELECT count(*) FROM ${allowedOrigins}
        WHERE organization_id = ${NEW.organization_id}) > ${limits.allowedOrigins}`,
    ),
  })),
];

/** Who accepts an invitation is a member before the invitation ends: one address counts once. */
function tooManyPeople({ organization_id }: { organization_id: SQL }): SQL {
  return raise(
    "too_many_members",
    sql`WHERE (SELECT count(*) FROM (
        SELECT email FROM ${members} WHERE organization_id = ${organization_id} AND role <> 'none'
        UNION SELECT email FROM ${invitations} WHERE organization_id = ${organization_id} AND accepted_at IS NULL
      )) > ${limits.members}`,
  );
}
