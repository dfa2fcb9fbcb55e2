import { and, eq, sql } from "drizzle-orm";
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
  if (!isOwner && (role === "owner" || found?.role === "owner"))
    return notAllowed("Only owners can change owners");
  const was = sql`(SELECT ${members.role} FROM ${members} WHERE ${and(
    eq(members.organization_id, organization.id),
    eq(members.email, email),
  )})`;
  const entry = { organization_id: organization.id, actor: actor.email, operator, subject_id: email };
  const details = sql`json_object('role', ${role}, 'before', json_object('role', ${was}),
    'after', json_object('role', ${role}))`;
  // Who became an owner since that was read is left as they are.
  const where = isOwner ? sql`WHERE true` : sql`WHERE coalesce(${was}, '') <> 'owner'`;
  const [, , member] = await batch(db, [
    statement(insertSelect(auditLog, { ...entry, action: "member.set", details }, where)),
    putMember(organization.id, input, isOwner),
    required(findMember(organization.id, email)),
  ]);
  return member;
}
