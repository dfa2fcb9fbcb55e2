import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { auditColumns, changeEntries, recordOnce } from "../../core/audit-log/audited-change.ts";
import { auditLog } from "../../core/audit-log/tables.ts";
import type { Context } from "../../core/context.ts";
import { build, insertSelect, statement } from "../../db/build.ts";
import { batch, type Query, required, run, runLast } from "../../db/query.ts";
import { inviteMember } from "./invite-member.ts";
import { putMember } from "./members.ts";
import { findPerson } from "./read-people.ts";
import type { ListedMember, Member } from "./record.ts";
import { invitations, members } from "./tables.ts";

type Wanted = Pick<Member, "email" | "role"> & { name?: string | undefined };

/**
 * Changes a member's role. Someone who is not a member is invited; only an operator adds them at once. Only owners
 * can appoint or change an owner, because an admin could otherwise become one. A trigger keeps the last owner.
 */
export async function setMember(
  context: Context<Staff, "db" | "email" | "mailFrom" | "applicationUrl", "name" | "link_prefix">,
  input: Wanted,
): Promise<ListedMember | Refusal> {
  const { services, organization, actor } = context;
  const { email, role } = input;
  const found = await run(services.db, findPerson(organization.id, email));
  if (actor.role !== "owner" && (role === "owner" || found?.role === "owner")) return refuse("owners_only");
  if (role === "none" && found?.status === "invited") return cancelInvitation(context, found);
  if (actor.kind === "operator" || found?.status === "active") return changeMember(context, input);
  if (role === "none") return found ?? noSuch("member", email);
  return inviteMember(context, { ...input, role });
}

async function changeMember(context: Context<Staff, "db">, input: Wanted): Promise<ListedMember | Refusal> {
  const { services, organization, actor } = context;
  const { email } = input;
  const isOwner = actor.role === "owner";
  const was = (column: SQLiteColumn) =>
    sql`(SELECT ${column} FROM ${members} WHERE ${and(
      eq(members.organization_id, organization.id),
      eq(members.email, email),
    )})`;
  const subject_id = sql`coalesce(${was(members.email)}, ${email})`;
  const entry = {
    ...auditColumns(context),
    subject_id,
    action: "member.set",
    details: detailsOf(input, was),
  };
  // The condition also protects someone who has become an owner in the meantime.
  const where = isOwner ? sql`WHERE true` : sql`WHERE coalesce(${was(members.role)}, '') <> 'owner'`;
  const member = await runLast(services.db, [
    statement(insertSelect(auditLog, entry, where)),
    ...recordOnce(context, { action: entry.action, subjectId: email }),
    endInvitation(context, email),
    putMember(organization.id, input, isOwner),
    required(findPerson(organization.id, email)),
  ]);
  return !isOwner && member.role === "owner" ? refuse("owners_only") : member;
}

/** Only owners can end an owner's invitation. The condition also covers an invitation created after the check. */
const endInvitation = ({ organization, actor }: Context<Staff, "db">, email: string): Query<void> =>
  statement(
    build
      .delete(invitations)
      .where(
        and(
          eq(invitations.organization_id, organization.id),
          eq(invitations.email, email),
          isNull(invitations.accepted_at),
          actor.role === "owner" ? undefined : ne(invitations.role, "owner"),
        ),
      ),
  );

async function cancelInvitation(context: Context<Staff, "db">, invited: ListedMember): Promise<ListedMember> {
  const { email } = invited;
  const answer: ListedMember = { ...invited, role: "none", status: "left", delivery_problem: null };
  await batch(context.services.db, [
    endInvitation(context, email),
    // The result is stored, because no record is left to read it from.
    ...changeEntries(context, "member.uninvited", email, { role: invited.role }, { answer }),
  ]);
  return answer;
}

/** Returns the role, and the name if one is given, with their previous values, which are null for a new member. */
const detailsOf = (
  { role, name }: { role: string; name?: string | undefined },
  was: (column: SQLiteColumn) => SQL,
): SQL =>
  name === undefined
    ? sql`json_object('role', ${role}, 'before', json_object('role', ${was(members.role)}),
        'after', json_object('role', ${role}))`
    : sql`json_object('role', ${role},
        'before', json_object('role', ${was(members.role)}, 'name', ${was(members.name)}),
        'after', json_object('role', ${role}, 'name', ${name}))`;
