import { and, asc, eq, gt, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { roles } from "../../contract/closed-sets.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import type { Services } from "../../core/services.ts";
import { build, named, type Placeholders, prepared, rows, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { secretHash } from "../../platform/secret.ts";
import type { ShownBrand } from "../brands/addresses.ts";
import { brands } from "../brands/tables.ts";
import type { OwnCell } from "../directory/record.ts";
import { members } from "../members/tables.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { isAdminAddress } from "./admins.ts";
import { sessions } from "./tables.ts";

/** A workspace that a session may work in, and the member it acts as. */
export interface OpenWorkspace {
  id: string;
  slug: string;
  name: string;
  /** The member's address, as spelled in this workspace. */
  email: string;
  /** The member's name, if known. */
  person: string | null;
  role: (typeof roles)[number];
  plan: string;
  brand: ShownBrand;
  /** Whether its plan includes API tokens and webhooks. */
  api_access: boolean;
  /** Set if it is in another cell. */
  cell?: string;
}

export interface Session {
  email: string;
  /** Ordered by name, and never empty, because only admins have sessions. */
  workspaces: readonly OpenWorkspace[];
}

export const isLiveSession = (tokenHash: string | Placeholder): SQL | undefined =>
  and(
    eq(sessions.token_hash, tokenHash),
    gt(sessions.expires_at, now),
    gt(sessions.last_used_at, nowWith(`-${sessionLimits.idleHours} hours`)),
  );

type OfSession = Placeholders<{ tokenHash: string }>;

const isStale = lt(sessions.last_used_at, nowWith(`-${sessionLimits.lastUseMinutes} minutes`));

const keepOpen = prepared(({ tokenHash }: OfSession) =>
  statement(
    build
      .update(sessions)
      .set({ last_used_at: now })
      .where(and(isLiveSession(tokenHash), isStale)),
  ),
);

const workspace = {
  id: organizations.id,
  slug: organizations.slug,
  name: organizations.name,
  email: named(members.email, "email"),
  person: named(members.name, "person"),
  role: members.role,
  plan: organizations.plan,
  accent: brands.accent,
  logo_content_type: brands.logo_content_type,
  logo_sha256: brands.logo_sha256,
  api_access: plans.api_access,
};

const workspacesOf = prepared(({ tokenHash }: OfSession) =>
  rowsOf(
    build
      .select({ ...workspace, isStale: sql<number>`${isStale}`.as("isStale") })
      .from(sessions)
      .innerJoin(members, isAdminAddress(sql`${sessions.email}`))
      .innerJoin(organizations, eq(organizations.id, members.organization_id))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(brands, eq(brands.organization_id, organizations.id))
      .where(isLiveSession(tokenHash))
      .orderBy(asc(organizations.name), asc(organizations.id)),
  ),
);

/** Finds the workspaces by the person's address, for a session that is in the directory. */
const workspacesUnder = prepared(({ email }: Placeholders<{ email: string }>) =>
  rowsOf(
    build
      .select(workspace)
      .from(organizations)
      .innerJoin(members, and(eq(members.organization_id, organizations.id), isAdminAddress(email)))
      .innerJoin(plans, eq(plans.name, organizations.plan))
      .leftJoin(brands, eq(brands.organization_id, organizations.id)),
  ),
);

export type Accounts = Pick<Services, "db" | "accounts" | "cell">;

/**
 * Finds the session for a secret, with its current permissions; null if it has ended. Updates the session's last use
 * every five minutes. If there are several cells, the session and the workspaces in other cells come from the
 * directory, and this cell's workspaces from its own database.
 */
export async function findSession(
  { db, accounts, cell }: Accounts,
  secret: string | undefined,
): Promise<Session | null> {
  if (!secret) return null;
  const tokenHash = secretHash(secret);
  const found = cell ? await foundInCells(db, cell, tokenHash) : await run(db, workspacesOf({ tokenHash }));
  const [first] = found;
  if (!first) return null;
  // A failed write is only logged, so that pages can be read while the database rejects writes.
  if (first.isStale)
    await run(accounts, keepOpen({ tokenHash })).catch((error) =>
      report({ failed: "keep a session open" }, error),
    );
  return {
    email: first.email,
    workspaces: found.map(({ isStale: _, accent, logo_content_type, logo_sha256, ...one }) => ({
      ...one,
      brand: { organization_id: one.id, accent, logo_content_type, logo_sha256 },
    })),
  };
}

async function foundInCells(db: D1Database, { name, directory }: OwnCell, tokenHash: string) {
  const known = await run(directory, workspacesInDirectory(tokenHash));
  const [first] = known;
  if (!first) return [];
  const { email, isStale: stale } = first;
  const others = known.filter(({ cell }) => cell !== name);
  const own = others.length === known.length ? [] : await run(db, workspacesUnder({ email }));
  return [...others, ...own.map((one) => ({ ...one, isStale: stale }))].sort(
    (a, b) => compare(a.name, b.name) || compare(a.id, b.id),
  );
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const inDirectory = {
  ...workspace,
  isStale: sql<number>`isStale`.as("isStale"),
  cell: sql<string>`cell`.as("cell"),
};

/** In the directory, an organization's row includes its plan and brand. */
const workspacesInDirectory = (tokenHash: string) =>
  rows(
    inDirectory,
    sql`SELECT ${organizations.id}, slug, ${organizations.name}, ${members.email} AS email, ${members.name} AS person,
        role, plan, accent, logo_content_type, logo_sha256, api_access, cell, ${isStale} AS isStale
      FROM ${sessions} JOIN ${members} ON ${isAdminAddress(sql`${sessions.email}`)}
      JOIN ${organizations} ON ${eq(organizations.id, members.organization_id)}
      WHERE ${isLiveSession(tokenHash)} AND state <> 'founding'`,
  );
