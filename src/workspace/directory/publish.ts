import { and, eq, isNull, sql } from "drizzle-orm";
import { adminRoles } from "../../contract/closed-sets.ts";
import { build, rowsOf, statement } from "../../db/build.ts";
import { fenceColumn, isComplete } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { brands } from "../brands/tables.ts";
import { members } from "../members/tables.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { apiTokens } from "../tokens/tables.ts";
import type { OwnCell } from "./record.ts";
import { directoryChanges as table } from "./tables.ts";

export interface Publishing {
  db: D1Database;
  /** Null if there is only one cell, and nothing to publish. */
  cell: OwnCell | null;
}

/** Makes this database's triggers record changes from now on. */
export const enableTracking = statement(build.insert(table).values({ id: "" }).onConflictDoNothing());

/** How many entries are copied at once. */
const entriesAtOnce = 50;

/**
 * Copies outdated entries into the directory: one workspace's, or some from all workspaces. Returns how many it copied.
 * An entry that changes in the meantime is copied again later.
 */
export async function publish({ db, cell }: Publishing, organizationId?: string): Promise<number> {
  if (cell === null) return 0;
  const outdated = build
    .select({ id: table.id, changes: table.changes })
    .from(table)
    .where(organizationId === undefined ? sql`${table.id} <> ''` : eq(table.id, organizationId))
    .limit(entriesAtOnce);
  for (let copied = 0; ; ) {
    const [, found] = await batch(db, [enableTracking, rowsOf(outdated)]);
    if (found.length === 0) return copied;
    const overtaken = await copyEntries(
      { db, cell },
      found.map(({ id }) => id),
    );
    const done = found.filter(({ id }) => !overtaken.includes(id));
    const seen = JSON.stringify(done.map(({ id, changes }) => [id, changes]));
    const isSeen = sql`(${table.id}, ${table.changes}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${seen}))`;
    await run(db, statement(build.delete(table).where(isSeen)));
    copied += done.length;
    if (overtaken.length === 0) return copied;
  }
}

/** Publishes after work that must succeed even if the directory fails. The next cron run retries. */
export const publishSafely = (services: Publishing, organizationId?: string): Promise<unknown> =>
  publish(services, organizationId).catch((error) => report({ failed: "publish" }, error));

/**
 * Rewrites the entries of workspaces, and deletes those of deleted workspaces. Returns the ids of entries that were
 * written by another call after this one began. They are not rewritten, because this call may have read older data.
 */
export async function copyEntries(
  { db, cell: { name, directory } }: { db: D1Database; cell: OwnCell },
  ids: readonly string[],
): Promise<string[]> {
  const known = await run(directory, revisionsOf(ids));
  const [found, tokens, admins] = await batch(db, [entriesOf(ids), tokensOf(ids), adminsOf(ids)]);
  // An entry of another cell stays as it is, and so does the entry of a workspace that is hidden here.
  const others = new Set([
    ...known.filter(({ cell }) => cell !== name).map(({ id }) => id),
    ...found.filter(({ fence }) => fence === "all").map(({ id }) => id),
  ]);
  const own = known.filter(({ id }) => !others.has(id));
  const entries = found
    .filter(({ id }) => !others.has(id))
    .map((entry) => ({ ...entry, is_new: !own.some(({ id }) => id === entry.id) }));
  const gone = ids.filter((id) => !found.some((entry) => entry.id === id));
  const revision = crypto.randomUUID();
  const change = (sql: string, ...values: readonly object[]): Query<string[]> => ({
    sql,
    params: [revision, name, ...values.map((value) => JSON.stringify(value))],
    read: (rows) => rows.map(({ id }) => String(id)),
  });
  const [claimed, written] = await batch(directory, [
    change(claimKnown, own),
    change(writeEntries, entries),
    change(deleteTokens, ids, tokens),
    change(writeTokens, tokens),
    change(deleteAdmins, ids, admins),
    change(writeAdmins, admins),
    change(deleteGone, gone),
  ]);
  const current = new Set([...claimed, ...written]);
  return [...own, ...entries].map(({ id }) => id).filter((id) => !current.has(id));
}

const revisionsOf = (ids: readonly string[]): Query<{ id: string; cell: string; revision: string }[]> => ({
  sql: "SELECT id, cell, revision FROM organizations WHERE id IN (SELECT value FROM json_each(?))",
  params: [JSON.stringify(ids)],
  read: (rows) =>
    rows.map(({ id, cell, revision }) => ({
      id: String(id),
      cell: String(cell),
      revision: String(revision),
    })),
});

// In these statements, ?1 is the new revision and ?2 the cell.

const claimKnown = `UPDATE organizations SET revision = ?1
  WHERE cell = ?2 AND (id, revision) IN (SELECT value ->> 'id', value ->> 'revision' FROM json_each(?3)) RETURNING id`;

const isClaimed = (id: string) =>
  `EXISTS (SELECT 1 FROM organizations WHERE organizations.id = ${id} AND revision = ?1)`;

const writeEntries = `INSERT INTO organizations (cell, state, revision, id, slug, name, plan, api_access, link_prefix,
    accent, logo_content_type, logo_sha256, created_at)
  SELECT ?2, 'open', ?1, value ->> 'id', value ->> 'slug', value ->> 'name', value ->> 'plan', value ->> 'api_access',
    value ->> 'link_prefix', value ->> 'accent', value ->> 'logo_content_type', value ->> 'logo_sha256',
    value ->> 'created_at'
  FROM json_each(?3) AS each WHERE value ->> 'is_new' OR ${isClaimed("each.value ->> 'id'")}
  ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, plan = excluded.plan,
    api_access = excluded.api_access, link_prefix = excluded.link_prefix, accent = excluded.accent,
    logo_content_type = excluded.logo_content_type, logo_sha256 = excluded.logo_sha256,
    created_at = excluded.created_at, state = iif(state IN ('founding', 'arriving'), 'open', state)
  WHERE revision = excluded.revision RETURNING id`;

const deleteTokens = `DELETE FROM api_tokens WHERE organization_id IN (SELECT value FROM json_each(?3))
  AND ${isClaimed("organization_id")}
  AND token_hash NOT IN (SELECT value ->> 'token_hash' FROM json_each(?4))`;

const writeTokens = `INSERT INTO api_tokens (token_hash, organization_id)
  SELECT value ->> 'token_hash', value ->> 'organization_id' FROM json_each(?3) AS each
  WHERE ${isClaimed("each.value ->> 'organization_id'")}
  ON CONFLICT (token_hash) DO UPDATE SET organization_id = excluded.organization_id`;

/** Keeps the rows of admins who remain, because deleting them would sign the admins out. */
const deleteAdmins = `DELETE FROM members WHERE organization_id IN (SELECT value FROM json_each(?3))
  AND ${isClaimed("organization_id")}
  AND NOT EXISTS (SELECT 1 FROM json_each(?4) AS each WHERE each.value ->> 'organization_id' = members.organization_id
    AND members.email = each.value ->> 'email')`;

const writeAdmins = `INSERT INTO members (organization_id, email, name, role, created_at)
  SELECT value ->> 'organization_id', value ->> 'email', value ->> 'name', value ->> 'role', value ->> 'created_at'
  FROM json_each(?3) AS each WHERE ${isClaimed("each.value ->> 'organization_id'")}
  ON CONFLICT (organization_id, email) DO UPDATE SET email = excluded.email, name = excluded.name,
    role = excluded.role, created_at = excluded.created_at`;

const deleteGone = `DELETE FROM organizations WHERE id IN (SELECT value FROM json_each(?3)) AND revision = ?1
  AND state <> 'founding'`;

const entriesOf = (ids: readonly string[]) =>
  rowsOf(
    build
      .select({
        id: organizations.id,
        slug: organizations.slug,
        name: organizations.name,
        plan: organizations.plan,
        api_access: sql<number>`${plans.api_access}`.as("api_access"),
        link_prefix: organizations.link_prefix,
        accent: brands.accent,
        logo_content_type: brands.logo_content_type,
        logo_sha256: brands.logo_sha256,
        created_at: organizations.created_at,
        fence: fenceColumn(sql`${organizations.id}`).as("fence"),
      })
      .from(organizations)
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(brands, eq(brands.organization_id, organizations.id))
      .where(isIn(organizations.id, ids)),
  );

const tokensOf = (ids: readonly string[]) =>
  rowsOf(
    build
      .select({ token_hash: apiTokens.token_hash, organization_id: apiTokens.organization_id })
      .from(apiTokens)
      .where(
        and(
          isIn(apiTokens.organization_id, ids),
          isNull(apiTokens.revoked_at),
          isComplete(apiTokens.organization_id),
        ),
      ),
  );

const adminsOf = (ids: readonly string[]) =>
  rowsOf(
    build
      .select({
        organization_id: members.organization_id,
        email: members.email,
        name: members.name,
        role: members.role,
        created_at: members.created_at,
      })
      .from(members)
      .where(
        and(
          isIn(members.organization_id, ids),
          isIn(members.role, adminRoles),
          isComplete(members.organization_id),
        ),
      ),
  );
