import { and, eq, type SQL, sql } from "drizzle-orm";
import { build, insertSelect, statement } from "../../src/db/build.ts";
import { nowWith } from "../../src/db/columns.ts";
import type { Query } from "../../src/db/query.ts";
import { members } from "../../src/workspace/members/tables.ts";
import { organizations } from "../../src/workspace/organizations/tables.ts";
import { signInLinks as links } from "../../src/workspace/sessions/tables.ts";

/** The `FROM … WHERE …` clause that finds a workspace's first owner. */
export const firstOwnerOf = (slug: string): SQL =>
  sql`FROM ${members} JOIN ${organizations} ON ${organizations.id} = ${members.organization_id}
    WHERE ${and(eq(organizations.slug, slug), eq(members.role, "owner"))} ORDER BY ${members.created_at} LIMIT 1`;

/** Leaves time to read the README first. The next start deletes the link. */
const lifetime = nowWith("+1 day");

/** The rows for a link that signs in the workspace's owner, like an e-mailed one. For local servers only. */
export function signInLinkRows(slug: string, token_hash: string): Query<void>[] {
  const owner = firstOwnerOf(slug);
  return [
    statement(build.delete(links).where(sql`${links.email} IN (SELECT ${members.email} ${owner})`)),
    statement(insertSelect(links, { token_hash, email: sql`${members.email}`, expires_at: lifetime }, owner)),
  ];
}
