import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { countMail, invitationMails } from "../../core/mails/count-mail.ts";
import { mailCounts } from "../../core/mails/tables.ts";
import { notErasing } from "../../db/erasing.ts";
import { after, before, raise, type Statement } from "../../db/trigger.ts";
import { invitations, members, replacesLink } from "./tables.ts";

/** An address counts once, because a person can be a member and still have an open invitation. */
function tooManyPeople({ organization_id }: { organization_id: SQL }): SQL {
  return raise(
    "too_many_members",
    sql`WHERE (SELECT count(*) FROM (
        SELECT email FROM ${members} WHERE organization_id = ${organization_id} AND role <> 'none'
        UNION SELECT email FROM ${invitations} WHERE organization_id = ${organization_id} AND accepted_at IS NULL
      )) > ${limits.members}`,
  );
}

const countInvitation = (mail: { organization_id: SQL; email: SQL; waits_since: SQL }): SQL[] => [
  ...countMail(mail, invitationMails),
  sql`UPDATE ${mailCounts} SET invitations_mailed = invitations_mailed + 1
    WHERE organization_id = ${mail.organization_id} AND day = date('now') AND address = lower(${mail.email})
      AND ${mail.waits_since} IS NULL`,
];

export const membersGuards: readonly Statement[] = [
  // AFTER, because an upsert that becomes an UPDATE also fires the BEFORE INSERT trigger.
  after(invitations, "INSERT", "mailed", ({ NEW }) => ({ do: countInvitation(NEW) })),
  // A delayed invitation gets its link when its e-mail is sent. Its e-mail was counted when it was requested.
  after(invitations, ["token_hash"], "mailed_again", ({ NEW, OLD }) => ({
    when: sql`(${OLD.mail_due_at} IS NULL OR ${NEW.mail_due_at} IS NULL OR ${NEW.mail_due_at} = ${OLD.mail_due_at})
      AND NOT ${replacesLink({ NEW, OLD })}`,
    do: countInvitation(NEW),
  })),
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
