import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { auditLog } from "../../core/audit-log/tables.ts";
import { build, insertSelect, named, rowOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isComplete } from "../../db/fencing.ts";
import { batch, type Query } from "../../db/query.ts";
import { secretHash } from "../../platform/secret.ts";
import { organizations } from "../organizations/tables.ts";
import { hasLink, isOpen } from "./read-people.ts";
import { members, invitations as table } from "./tables.ts";

const invitation = (where: SQL | undefined) =>
  rowOf(
    build
      .select({
        email: named(table.email, "email"),
        role: table.role,
        workspace: named(organizations.name, "workspace"),
        slug: organizations.slug,
        inviterName: named(members.name, "inviterName"),
        inviterEmail: named(members.email, "inviterEmail"),
      })
      .from(table)
      .innerJoin(organizations, eq(organizations.id, table.organization_id))
      .innerJoin(members, eq(members.id, table.created_by))
      .where(where),
  );
export type Invitation = NonNullable<ReturnType<ReturnType<typeof invitation>["read"]>>;

const isOf = (secret: string): SQL | undefined =>
  and(hasLink(secretHash(secret)), isComplete(table.organization_id));

/** Finds an invitation that can be accepted. It changes nothing, because mail scanners open links. */
export const findInvitation = (secret: string): Query<Invitation | null> =>
  invitation(and(isOf(secret), isOpen));

/**
 * Makes the invited person a member in one transaction; null if the invitation cannot be accepted. A second press
 * of the button returns the same result. No one is signed in, because the role belongs to the invited address and
 * not to the person who opens the link.
 */
export async function acceptInvitation(db: D1Database, secret: string): Promise<Invitation | null> {
  const open = sql`FROM ${table} WHERE ${and(isOf(secret), isOpen)}`;
  const { organization_id, email, name, role } = table;
  const joined = {
    organization_id: sql`${organization_id}`,
    actor: sql`${email}`,
    subject_id: sql`${email}`,
    action: "member.joined",
    details: sql`json_object('role', ${role})`,
  };
  const member = {
    id: crypto.randomUUID(),
    organization_id: sql`${organization_id}`,
    email: sql`${email}`,
    name: sql`${name}`,
    role: sql`${role}`,
  };
  const acceptedJustNow = gt(table.accepted_at, nowWith(`-${limits.doubleSubmitSeconds} seconds`));
  const [, , , accepted] = await batch(db, [
    statement(insertSelect(auditLog, joined, open)),
    statement(sql`${insertSelect(members, member, open)} ON CONFLICT (organization_id, email) DO UPDATE
      SET role = excluded.role, name = coalesce(excluded.name, members.name) WHERE members.role = 'none'`),
    statement(
      build
        .update(table)
        .set({ accepted_at: now })
        .where(and(isOf(secret), isOpen)),
    ),
    invitation(and(isOf(secret), acceptedJustNow)),
  ]);
  return accepted;
}
