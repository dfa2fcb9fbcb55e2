import { and, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { memberStatuses, roles } from "../../contract/closed-sets.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { row, rows } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { batch, type Query } from "../../db/query.ts";
import type { ListedMember } from "./record.ts";
import { invitations, members } from "./tables.ts";

/** Reads a workspace's people: members, former members and invited people. */

/** Invitations that can be accepted: not accepted yet, not expired, and from someone who may still assign the role. */
export const isOpen: SQL | undefined = and(
  isNull(invitations.accepted_at),
  gt(invitations.expires_at, now),
  sql`EXISTS (SELECT 1 FROM ${members} AS inviter WHERE inviter.id = ${invitations.created_by}
    AND (inviter.role = 'owner' OR inviter.role = 'admin' AND ${invitations.role} <> 'owner'))`,
);

/** Whether an invitation has this link, which its e-mail contains or may contain. */
export const hasLink = (tokenHash: string): SQL | undefined =>
  or(eq(invitations.token_hash, tokenHash), eq(invitations.next_token_hash, tokenHash));

const selection = {
  id: members.id,
  email: members.email,
  name: members.name,
  role: sql<(typeof roles)[number]>`role`.as("role"),
  status: sql<(typeof memberStatuses)[number]>`status`.as("status"),
  created_at: members.created_at,
  updated_at: members.updated_at,
  delivery_problem: members.delivery_problem,
};

/** Combines members and open invitations. A former member who is invited again appears only as invited. */
function people(organizationId: string): SQL {
  const invited = sql`SELECT id, email, name, role, 'invited' AS status, created_at, updated_at,
    delivery_problem, 1 AS kind, rowid AS place FROM ${invitations} WHERE ${and(eq(invitations.organization_id, organizationId), isOpen)}`;
  const isInvited = sql`EXISTS (SELECT 1 FROM ${invitations}
    WHERE ${and(eq(invitations.organization_id, organizationId), eq(invitations.email, members.email), isOpen)})`;
  return sql`(SELECT id, email, name, role, iif(role = 'none', 'left', 'active') AS status, created_at, updated_at,
    delivery_problem, 0 AS kind, rowid AS place FROM ${members}
    WHERE ${members.organization_id} = ${organizationId} AND NOT (role = 'none' AND ${isInvited})
    UNION ALL ${invited}) AS people`;
}

/** Finds a person in the workspace by e-mail address, ignoring case. */
export const findPerson = (organizationId: string, email: string): Query<ListedMember | null> =>
  row(selection, sql`SELECT * FROM ${people(organizationId)} WHERE email = ${email} ORDER BY status LIMIT 1`);

interface PeopleFilter {
  id?: string | undefined;
  email?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Reads a page of people, newest first, or only the person with the given id or address. */
export async function listPeople(
  db: D1Database,
  organizationId: string,
  { id, email, limit, cursor }: PeopleFilter,
): Promise<ListedMember[] | Refusal> {
  const last = sql`(SELECT created_at, kind, place FROM ${people(organizationId)} WHERE id = ${cursor})`;
  const where = and(
    sql`true`,
    id === undefined ? undefined : sql`id = ${id}`,
    email === undefined ? undefined : sql`email = ${email}`,
    cursor === undefined ? undefined : sql`(created_at, kind, place) < ${last}`,
  );
  const page = sql`SELECT * FROM ${people(organizationId)} WHERE ${where}
    ORDER BY created_at DESC, kind DESC, place DESC LIMIT ${limit}`;
  const isKnown = { id: members.id };
  const known = sql`SELECT id FROM ${people(organizationId)} WHERE id = ${cursor ?? null}`;
  const [found, lastOne] = await batch(db, [rows(selection, page), row(isKnown, known)]);
  return cursor !== undefined && !lastOne ? refuse("cursor_unknown", { kind: "a member" }) : found;
}
