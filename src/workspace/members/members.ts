import { and, asc, eq, ne, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { adminRoles } from "../../contract/closed-sets.ts";
import { build, type Placeholders, prepared, rowOf, statement } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import type { Query } from "../../db/query.ts";
import { byIdOrSlug } from "../organizations/organization.ts";
import { organizations } from "../organizations/tables.ts";
import type { Member } from "./record.ts";
import { members } from "./tables.ts";

export const isAdmin = ({ role }: Pick<Member, "role">): boolean => adminRoles.some((each) => each === role);

/** A member's address; NULL once they have left. */
export const presentEmail = (memberId: SQLWrapper) =>
  sql<string | null>`(SELECT ${members.email} FROM ${members}
    WHERE ${eq(members.id, memberId)} AND ${members.role} <> 'none')`;

/** The address of a workspace's first owner, who gets the e-mails about it; NULL if it has none. */
export const firstOwnerEmail = (organizationId: SQLWrapper) =>
  sql<string | null>`(SELECT ${members.email} FROM ${members} WHERE ${and(
    eq(members.organization_id, organizationId),
    eq(members.role, "owner"),
  )} ORDER BY ${members.created_at}, ${members}.rowid LIMIT 1)`;

const memberWho = (idOrSlug: Placeholder, who: SQL): Query<Member | null> => {
  const ofOrganization = build
    .select({ id: organizations.id })
    .from(organizations)
    .where(byIdOrSlug(idOrSlug));
  return rowOf(
    build
      .select()
      .from(members)
      .where(and(isIn(members.organization_id, ofOrganization), who))
      .orderBy(asc(members.created_at), sql`rowid`)
      .limit(1),
  );
};

const firstOwner = prepared(({ idOrSlug }: Placeholders<{ idOrSlug: string }>) =>
  memberWho(idOrSlug, eq(members.role, "owner")),
);
const memberBy = prepared(({ idOrSlug, email }: Placeholders<{ idOrSlug: string; email: string }>) =>
  memberWho(idOrSlug, eq(members.email, email)),
);

/** Finds the member of an organization with this e-mail address; by default, its first owner. */
export const findMember = (idOrSlug: string, email?: string): Query<Member | null> =>
  email === undefined ? firstOwner({ idOrSlug }) : memberBy({ idOrSlug, email });

/**
 * Adds a member, or changes their role and, if one is given, their name. Leaves an owner unchanged if
 * `mayChangeOwner` is false.
 */
export const putMember = (
  organization_id: string,
  { email, role, name }: Pick<Member, "email" | "role"> & { name?: string | undefined },
  mayChangeOwner = true,
): Query<void> =>
  statement(
    build
      .insert(members)
      .values({ id: crypto.randomUUID(), organization_id, email, name, role })
      .onConflictDoUpdate({
        target: [members.organization_id, members.email],
        set: { role: sql`excluded.role`, name: sql`coalesce(excluded.name, ${members.name})` },
        ...(mayChangeOwner ? {} : { setWhere: ne(members.role, "owner") }),
      }),
  );
