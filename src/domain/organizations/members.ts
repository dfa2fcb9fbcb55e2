import type { Member } from "../../contract/workspace/organization.ts";
import { type Query, statement } from "../../db/query.ts";

export const isAdmin = ({ role }: Member): boolean => role === "owner" || role === "admin";

export const findMember = (organizationId: string, email: string): Query<Member | null> => ({
  sql: "SELECT * FROM members WHERE organization_id = ? AND email = ?",
  params: [organizationId, email],
  read: ([row]) => (row as Member | undefined) ?? null,
});

/** The workspace's first owner. */
export const findOwner = (organizationId: string): Query<Member | null> => ({
  sql: "SELECT * FROM members WHERE organization_id = ? AND role = 'owner' ORDER BY created_at, rowid LIMIT 1",
  params: [organizationId],
  read: ([row]) => (row as Member | undefined) ?? null,
});

export const listMembers = (organizationId: string): Query<Member[]> => ({
  sql: "SELECT * FROM members WHERE organization_id = ? ORDER BY created_at DESC, rowid DESC",
  params: [organizationId],
  read: (rows) => rows as Member[],
});

/** Takes a person in, or changes their role and, if one is given, their name. */
export const putMember = (
  organizationId: string,
  { email, role, name }: { email: string; role: Member["role"]; name?: string },
): Query<void> =>
  statement(
    `INSERT INTO members (id, organization_id, email, name, role) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (organization_id, email) DO UPDATE SET role = excluded.role, name = coalesce(excluded.name, name)`,
    crypto.randomUUID(),
    organizationId,
    email,
    name ?? null,
    role,
  );
