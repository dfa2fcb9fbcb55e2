import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { notErasing } from "../../db/erasing.ts";
import { after, before, raise, type Statement } from "../../db/trigger.ts";
import { countMail, invitationMails } from "../mails/count-mail.ts";
import { invitations, members } from "./tables.ts";

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

export const membersGuards: readonly Statement[] = [
  // Behind the change: an INSERT that becomes an UPDATE fires both triggers before it.
  after(invitations, "INSERT", "mailed", ({ NEW }) => ({ do: countMail(NEW, invitationMails) })),
  after(invitations, ["token_hash"], "mailed_again", ({ NEW }) => ({ do: countMail(NEW, invitationMails) })),
  before(members, ["role"], "owner_stays", ({ NEW, OLD }) => ({
    when: sql`${OLD.role} = 'owner' AND ${NEW.role} <> 'owner' AND NOT EXISTS (
        SELECT 1 FROM ${members} WHERE organization_id = ${OLD.organization_id} AND role = 'owner' AND id <> ${OLD.id}
      )`,
    do: raise("last_owner"),
  })),
  before(members, "DELETE", "owner_not_deleted", ({ OLD }) => ({
    when: sql`${OLD.role} = 'owner' AND NOT EXISTS (
        SELECT 1 FROM ${members} WHERE organization_id = ${OLD.organization_id} AND role = 'owner' AND id <> ${OLD.id}
      ) AND ${notErasing(OLD)}`,
    do: raise("last_owner"),
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
];
