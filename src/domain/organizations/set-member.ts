import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type AdminRefusal, notAllowed } from "../../contract/admin-refusals.ts";
import type { Member } from "../../contract/workspace/organization.ts";
import { insertSelect, statement } from "../../db/build.ts";
import { batch, required, run } from "../../db/query.ts";
import { auditLog, members } from "../../db/schema/workspace.ts";
import type { AdminContext } from "../audited-change.ts";
import { findMember, putMember } from "./members.ts";

/**
 * Takes a person in or changes their role. An admin makes no owner and changes none: that would be a way to the top.
 * That the last owner stays, the database guards.
 */
export async function setMember(
  { db, organization, actor, operator }: AdminContext,
  input: Pick<Member, "email" | "role"> & { name?: string | undefined },
): Promise<Member | AdminRefusal> {
  const { email, role } = input;
  const isOwner = actor.role === "owner";
  const found = isOwner ? null : await run(db, findMember(organization.id, email));
  if (!isOwner && (role === "owner" || found?.role === "owner")) return ownersOnly();
  const was = (column: SQLiteColumn) =>
    sql`(SELECT ${column} FROM ${members} WHERE ${and(
      eq(members.organization_id, organization.id),
      eq(members.email, email),
    )})`;
  const subject_id = sql`coalesce(${was(members.email)}, ${email})`;
  const entry = { organization_id: organization.id, actor: actor.email, operator, subject_id };
  const line = { ...entry, action: "member.set", details: detailsOf(input, was) };
  // Who became an owner since that was read is left as they are.
  const where = isOwner ? sql`WHERE true` : sql`WHERE coalesce(${was(members.role)}, '') <> 'owner'`;
  const [, , member] = await batch(db, [
    statement(insertSelect(auditLog, line, where)),
    putMember(organization.id, input, isOwner),
    required(findMember(organization.id, email)),
  ]);
  return !isOwner && member.role === "owner" ? ownersOnly() : member;
}

const ownersOnly = () => notAllowed("Only owners can change owners");

/** The role, and the name if one is given, with what they were: null for whoever was no member. */
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
