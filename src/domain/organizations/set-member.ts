import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Member } from "../../contract/workspace/organization.ts";
import { insertSelect, statement } from "../../db/build.ts";
import { batch, required, run } from "../../db/query.ts";
import { auditLog, members } from "../../db/schema/workspace.ts";
import type { Staff } from "../actor.ts";
import { entryOf } from "../audited-change.ts";
import type { Context } from "../context.ts";
import { findMember, putMember } from "./members.ts";

/**
 * Adds a person or changes their role. An admin neither makes nor changes an owner, because that would let an admin
 * become one. The database guards that the last owner stays.
 */
export async function setMember(
  context: Context<Staff, "db">,
  input: Pick<Member, "email" | "role"> & { name?: string | undefined },
): Promise<Member | Refusal> {
  const { services, organization, actor } = context;
  const { email, role } = input;
  const isOwner = actor.role === "owner";
  const found = isOwner ? null : await run(services.db, findMember(organization.id, email));
  if (!isOwner && (role === "owner" || found?.role === "owner")) return refuse("owners_only");
  const was = (column: SQLiteColumn) =>
    sql`(SELECT ${column} FROM ${members} WHERE ${and(
      eq(members.organization_id, organization.id),
      eq(members.email, email),
    )})`;
  const subject_id = sql`coalesce(${was(members.email)}, ${email})`;
  const entry = { ...entryOf(context), subject_id, action: "member.set", details: detailsOf(input, was) };
  // A person who became an owner after that read stays unchanged.
  const where = isOwner ? sql`WHERE true` : sql`WHERE coalesce(${was(members.role)}, '') <> 'owner'`;
  const [, , member] = await batch(services.db, [
    statement(insertSelect(auditLog, entry, where)),
    putMember(organization.id, input, isOwner),
    required(findMember(organization.id, email)),
  ]);
  return !isOwner && member.role === "owner" ? refuse("owners_only") : member;
}

/** The role, and the name if one is given, with their values before: null for a person who was no member. */
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
